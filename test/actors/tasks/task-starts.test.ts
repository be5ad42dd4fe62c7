import { describe, expect, it } from 'vitest';
import { createTaskStarts } from '../../../src/actors/tasks/task-starts.js';
import { TaskId } from '../../../src/core/ids.js';
import type { TaskStateBase } from '../../../src/core/task-types.js';

const [owner, other, child, stranger] = ['a00000001', 'a00000002', 'a00000003', 'a00000004'].map(
  (id) => TaskId.parse(id),
) as [TaskId, TaskId, TaskId, TaskId];
const state: TaskStateBase = {
  id: child,
  type: 'local_agent',
  status: 'pending',
  description: 'a task',
  startTime: 1,
  outputFile: '/tmp/a',
  outputOffset: 0,
  notified: false,
};
const refusal = (reason: string) =>
  expect.objectContaining({
    code: 'TASK_REFUSED',
    message: `The task was not started: ${reason}`,
  }) as unknown;

describe('an agent that asks a task for a child', () => {
  it('is answered when the child is there', async () => {
    const starts = createTaskStarts();
    const answer = starts.waitFor(child, owner);
    starts.started(state);
    expect(await answer).toEqual(state);
  });

  it('is refused with the reason of the task', async () => {
    const starts = createTaskStarts();
    const answer = starts.waitFor(child, owner);
    starts.refused(child, 'the task a00000001 is ending');
    await expect(answer).rejects.toEqual(refusal('the task a00000001 is ending'));
  });

  it('is refused when the task ends without an answer, and nobody else is', async () => {
    const starts = createTaskStarts();
    const answers = [starts.waitFor(stranger, owner), starts.waitFor(child, other)] as const;
    starts.ownerEnded(owner);
    starts.started(state);
    await expect(answers[0]).rejects.toEqual(refusal(`the task ${owner} has ended`));
    expect(await answers[1]).toEqual(state);
  });
});
