/** A date is `{ year, month, day }` in the Gregorian calendar; January is month 1. */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year) {
  return year % 4 === 0 && year % 100 !== 0;
}

export function daysInMonth(year, month) {
  return month === 2 && isLeapYear(year) ? 29 : DAYS[month - 1];
}

/** The day after. */
export function nextDay({ year, month, day }) {
  if (day < daysInMonth(year, month)) return { year, month, day: day + 1 };
  if (month < 12) return { year, month: month + 1, day: 1 };
  return { year: year + 1, month: 1, day: 1 };
}

/** The same day some months later, or the last day of that month if the month has fewer days. */
export function addMonths({ year, month, day }, months) {
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (index % 12) + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

/** The first `count` due dates of something that is paid every month. */
export function dueDates(first, count) {
  return Array.from({ length: count }, (_, months) => addMonths(first, months));
}
