import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, daysInMonth, dueDates, nextDay } from '../src/calendar.js';

const format = ({ year, month, day }) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

test('every day from 1601 to 2600 is followed by the day after it', () => {
  let faults = 0;
  let first;
  const end = Date.UTC(2600, 11, 31);
  for (let time = Date.UTC(1601, 0, 1); time < end; time += 86_400_000) {
    const today = new Date(time);
    const tomorrow = new Date(time + 86_400_000).toISOString().slice(0, 10);
    const found = format(
      nextDay({
        year: today.getUTCFullYear(),
        month: today.getUTCMonth() + 1,
        day: today.getUTCDate(),
      }),
    );
    if (found !== tomorrow) {
      faults += 1;
      first ??= `${found} instead of ${tomorrow}`;
    }
  }
  assert.equal(faults, 0, `${faults} faults, the first: ${first}`);
});

test('months have the days that they have', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 12].map((month) => daysInMonth(2025, month)),
    [31, 28, 31, 30, 31],
  );
  assert.equal(daysInMonth(2024, 2), 29);
  assert.equal(daysInMonth(1900, 2), 28);
});

test('adding months keeps the day if the month has it', () => {
  assert.deepEqual(addMonths({ year: 2024, month: 11, day: 30 }, 3), {
    year: 2025,
    month: 2,
    day: 28,
  });
  assert.deepEqual(addMonths({ year: 2025, month: 3, day: 31 }, -1), {
    year: 2025,
    month: 2,
    day: 28,
  });
  assert.deepEqual(addMonths({ year: 2025, month: 1, day: 15 }, 24), {
    year: 2027,
    month: 1,
    day: 15,
  });
});

test('due dates follow the first one, not each other', () => {
  assert.deepEqual(dueDates({ year: 2025, month: 1, day: 31 }, 3).map(format), [
    '2025-01-31',
    '2025-02-28',
    '2025-03-31',
  ]);
});
