import { expect, it } from 'vitest';
import { createTaskRuns } from '../../src/processes/task-runs.js';

it('a task may have left something from its first run until all of it is known to be gone', () => {
  const runs = createTaskRuns();
  expect(runs.mayBeLeft('b1')).toBe(false);
  const first = runs.add('b1');
  const second = runs.add('b1');
  runs.add('b2');
  expect(runs.list('b1')).toEqual([first, second]);
  runs.remove(first);
  runs.cleared('b1'); // the other one still runs
  expect(runs.mayBeLeft('b1')).toBe(true);
  runs.remove(second);
  expect(runs.mayBeLeft('b1')).toBe(true); // nobody has looked yet
  runs.cleared('b1');
  expect(runs.mayBeLeft('b1')).toBe(false);
  expect(runs.list().map(({ taskId }) => taskId)).toEqual(['b2']);
});
