import { describe, expect, it } from 'vitest';
import { findCronProblem } from '../../../src/core/time/cron-expression.js';

describe('findCronProblem', () => {
  it.each([
    '* * * * *',
    '*/5 * * * *',
    '0 9 * * 1-5',
    '0,30 9-17/2 1,15 JAN-mar *',
    '59 23 31 12 7',
    ' 5\t4  * * sun ',
    '0 9 * * SAT-SUN',
    '0 9 * * mon-sun/2',
    '0 9 * * */7',
  ])('takes %j', (cron) => {
    expect(findCronProblem(cron)).toBeUndefined();
  });

  it.each([
    ['', 'it has 0 fields; it needs 5: minute, hour, day of month, month, day of week'],
    ['@daily', 'it has 1 fields; it needs 5: minute, hour, day of month, month, day of week'],
    ['* * * * * *', 'it has 6 fields; it needs 5: minute, hour, day of month, month, day of week'],
    ['60 * * * *', 'column 1 (minute): "60" is not within 0-59'],
    ['0 9,24 * * *', 'column 5 (hour): "24" is not within 0-23'],
    ['0 0 0 * *', 'column 5 (day of month): "0" is not within 1-31'],
    ['0 0 * FOO *', 'column 7 (month): "FOO" is not within 1-12, and not a name'],
    ['0 0 * * 8', 'column 9 (day of week): "8" is not within 0-7, and not a name'],
    ['5-1 * * * *', 'column 1 (minute): the range "5-1" ends before it begins'],
    ['*/0 * * * *', 'column 1 (minute): the step of "*/0" is not within 1-60'],
    ['0 0 * */13 *', 'column 7 (month): the step of "*/13" is not within 1-11'],
    ['0 0 * * */8', 'column 9 (day of week): the step of "*/8" is not within 1-7'],
    ['0 0 * * SUN-SAT/8', 'column 9 (day of week): the step of "SUN-SAT/8" is not within 1-7'],
    ['0 0 * * 6-0', 'column 9 (day of week): the range "6-0" ends before it begins'],
    ['1/5 * * * *', 'column 1 (minute): a step needs a range: write "1-59/5" or "*/5"'],
    ['0 0 L * *', 'column 5 (day of month): "L" is not within 1-31'],
    [
      '1,,2 * * * *',
      'column 3 (minute): "" is not a number, range (1-5), step (*/15) or list of them (1,15)',
    ],
    [
      '-1 * * * *',
      'column 1 (minute): "-1" is not a number, range (1-5), step (*/15) or list of them (1,15)',
    ],
  ])('refuses %j', (cron, problem) => {
    expect(findCronProblem(cron)).toBe(problem);
  });
});
