const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(?<count>\d{1,9}(?:\.\d{1,3})?)(?<unit>ms|s|m|h)$/;

/** A timer of the process with a longer delay fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The pattern of {@link parseDuration}, for schemas. */
export const DURATION_PATTERN = DURATION;

/** Parse `90s`, `500ms`, `10m` or `1.5h` to ms; undefined if the text is invalid, or longer than 24 days. */
export function parseDuration(text: string): number | undefined {
  const { count, unit } = DURATION.exec(text)?.groups ?? {};
  if (count === undefined || unit === undefined) return undefined;
  const ms = Math.round(Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]); // a unit of the pattern
  return ms > 0 && ms <= LONGEST_TIMER_MS ? ms : undefined;
}
