/** `2030-03-31 03:00` as a clock in the zone shows it. */
export function describeTime(at: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return clock.format(at);
}

/** The zone that the environment names, where it is one, or the system's: an IANA name. */
export function timeZoneOf(env: Readonly<Record<string, string | undefined>>): string {
  const wanted = env['TZ'];
  try {
    return new Intl.DateTimeFormat('en', { timeZone: wanted }).resolvedOptions().timeZone;
  } catch {
    return new Intl.DateTimeFormat('en').resolvedOptions().timeZone; // TZ may also be a path or a rule
  }
}
