import { describe, expect, it } from 'vitest';
import { createBackgroundTasks } from '../../../../src/actors/sessions/messages/background-tasks.js';
import { createTimers } from '../../../../src/actors/services/timers.js';
import type { TaskId } from '../../../../src/core/ids.js';
import type { TaskStateBase, TaskStatus } from '../../../../src/core/task-types.js';
import { createSimulatedTime } from '../../../support/simulated-time.js';

function createTasks() {
  const { clock, now, advance } = createSimulatedTime();
  const told: (readonly string[])[] = [];
  const tasks = createBackgroundTasks(
    {
      put(body) {
        if (!('tasks' in body)) throw new Error('another message');
        told.push(body.tasks.map(({ task_id: id }) => id));
      },
    },
    createTimers({ clock, now }),
  );
  const observe = (id: string, status: TaskStatus, isBackgrounded = true): void =>
    tasks.observe(
      {
        id: id as TaskId,
        type: 'local_bash',
        description: id,
        status,
        isBackgrounded,
      } as TaskStateBase,
      {},
    );
  return { ...tasks, advance, observe, told };
}

describe('the list of background tasks', () => {
  it('is sent at once when a task joins, and not for another change of it', () => {
    const { observe, told, advance } = createTasks();
    observe('a', 'pending');
    observe('a', 'running');
    advance(5_000);
    expect(told).toEqual([['a']]);
  });

  it('is sent once a second if many tasks come and go', () => {
    const { observe, told, advance } = createTasks();
    for (let index = 0; index < 100; index += 1) observe(`t${index}`, 'running');
    for (let index = 0; index < 98; index += 1) observe(`t${index}`, 'completed');
    expect(told).toEqual([['t0']]);
    advance(1_000);
    expect(told).toEqual([['t0'], ['t98', 't99']]);
    advance(5_000);
    observe('t98', 'killed');
    expect(told.at(-1)).toEqual(['t99']);
  });

  it('has no task that is waited for, until it moves to the background', () => {
    const { observe, told } = createTasks();
    observe('a', 'running', false);
    expect(told).toEqual([]);
    observe('a', 'running');
    expect(told).toEqual([['a']]);
  });

  it('is complete before a result, and not told after the end', () => {
    const { observe, told, flush, stop, advance } = createTasks();
    observe('a', 'running');
    flush();
    observe('a', 'completed');
    flush();
    expect(told).toEqual([['a'], []]);
    observe('b', 'running');
    stop();
    advance(5_000);
    expect(told).toHaveLength(2);
  });
});
