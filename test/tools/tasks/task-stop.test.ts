import { describe, expect, it } from 'vitest';
import { TaskStopTool } from '../../../src/tools/tasks/task-stop.js';
import type { TaskCapabilities } from '../../../src/tools/capabilities/task-capabilities.js';
import { createTaskWorld } from './task-world.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const SHELL = 'b00000001';

/** Tasks, and TaskStop called beside them. */
function createStopper(
  change: (tasks: TaskCapabilities) => Partial<TaskCapabilities> = () => ({}),
) {
  const world = createTaskWorld();
  const tasks = { ...world.tasks, ...change(world.tasks) };
  const context = createContext('/w', { tasks: { control: tasks } });
  const stop = (task_id: string) => runText(TaskStopTool, { task_id }, context);
  return { ...world, context, stop };
}

describe('TaskStop', () => {
  it('ends a task and says so', async () => {
    const { add, kills, stop, tasks } = createStopper();
    const { id } = add(SHELL, { description: 'npm run dev' });
    expect(await stop(SHELL)).toBe('Stopped b00000001 (npm run dev) and everything below it.');
    expect(kills).toEqual(['b00000001: stopped by TaskStop']);
    expect(tasks.find(id)?.status).toBe('killed');
  });

  it('says so if the task came to its end first', async () => {
    const { add, settle, stop } = createStopper(({ kill }) => ({
      kill: (id, reason) => {
        settle(id, { status: 'completed', result: '' });
        return kill(id, reason);
      },
    }));
    add(SHELL, { description: 'true' });
    expect(await stop(SHELL)).toBe('b00000001 (true) had completed before it could be stopped.');
  });

  it.each(['completed', 'failed', 'killed'] as const)('refuses one that is %s', async (status) => {
    const { add, kills, stop } = createStopper();
    add(SHELL, { description: 'ls', status });
    await expect(stop(SHELL)).rejects.toThrow(
      `TaskStop: b00000001 (ls) has already ended, its status is ${status}. Nothing was stopped.`,
    );
    expect(kills).toEqual([]);
  });

  it('refuses one that this agent may not address', async () => {
    const { add, kills, stop } = createStopper(() => ({ list: () => [] }));
    add(SHELL, { description: 'of another' });
    await expect(stop(SHELL)).rejects.toThrow('this agent may not stop it');
    expect(kills).toEqual([]);
  });

  it('stops waiting when it is aborted, as it is if its agent is below the task that it ends', async () => {
    const { add, context, stop } = createStopper(() => ({
      kill: () => {
        context.call.abortController.abort(new Error('ended with its owner'));
        return new Promise(() => undefined);
      },
    }));
    add(SHELL);
    await expect(stop(SHELL)).rejects.toThrow('ended with its owner');
  });

  it.each(['b00000009', '__proto__', 'toString', 'b0000000\0'])('has no task %j', async (id) => {
    const { add, stop } = createStopper();
    add(SHELL);
    await expect(stop(id)).rejects.toThrow(
      `TaskStop: no task has the ID ${JSON.stringify(id)}. There are: b00000001 (running).`,
    );
  });

  it('wants an id', async () => {
    const { stop } = createStopper();
    await expect(stop('')).rejects.toThrow('TaskStop: task_id must have at least 1 character');
  });

  it('is allowed by itself', async () => {
    const { context } = createStopper();
    expect(await TaskStopTool.checkPermissions({ task_id: SHELL }, context)).toEqual({
      behavior: 'allow',
      decisionReason: { type: 'other', reason: 'ends a task of this session' },
    });
  });
});
