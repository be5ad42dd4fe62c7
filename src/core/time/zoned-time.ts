/** `2030-03-31 03:00` in the time of the zone. */
export function describeTime(at: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return clock.format(at);
}

/** The time zone of the environment, if it is valid, or of the system: an IANA name. */
export function timeZoneOf(env: Readonly<Record<string, string | undefined>>): string {
  const wanted = env['TZ'];
  try {
    return new Intl.DateTimeFormat('en', { timeZone: wanted }).resolvedOptions().timeZone;
  } catch {
    return new Intl.DateTimeFormat('en').resolvedOptions().timeZone; // TZ may also be a path or a rule
  }
}
