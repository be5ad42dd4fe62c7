import { expect, it } from 'vitest';
import { findWorkflowProblems } from '../../src/workflow/workflow-problems.js';

it('the problems of a workflow are looked for in a time that grows with it, and no faster', () => {
  const count = 20_000;
  const tasks = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `t${index}`,
      { command: 'true', ...(index === count - 1 ? {} : { needs: [`t${index + 1}`] }) },
    ]),
  );
  const begun = performance.now();
  expect(findWorkflowProblems({ tasks }, { inputs: [] })).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(3_000);
});

it('a name that the prototype of every record has is a name like any other', () => {
  const task = { command: 'true', needs: ['constructor'] };
  expect(findWorkflowProblems({ tasks: { a: task } }, { inputs: [] })).toEqual([
    {
      path: ['tasks', 'a', 'needs', 0],
      message: 'there is no task "constructor". No task is defined.',
    },
  ]);
  const tasks = { a: task, constructor: { command: 'true', needs: ['a'] } };
  expect(findWorkflowProblems({ tasks }, { inputs: [] })).toEqual([
    {
      path: ['tasks', 'a'],
      message: 'it can never begin: each waits for the next, "a" → "constructor" → "a"',
    },
  ]);
});
