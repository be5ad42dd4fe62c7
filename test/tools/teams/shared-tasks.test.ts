import { describe, expect, it } from 'vitest';
import {
  addSharedTask,
  applySharedTasks,
  changeSharedTask,
  NO_SHARED_TASKS,
} from '../../../src/core/tasks/shared-task.js';
import { TaskCreateTool } from '../../../src/tools/teams/task-create.js';
import { TaskGetTool } from '../../../src/tools/teams/task-get.js';
import { TaskListTool } from '../../../src/tools/teams/task-list.js';
import { TaskUpdateTool } from '../../../src/tools/teams/task-update.js';
import { TeamCreateTool } from '../../../src/tools/teams/team-create.js';
import { TeamDeleteTool } from '../../../src/tools/teams/team-delete.js';
import type { TeamCapabilities } from '../../../src/tools/capabilities/team-capabilities.js';
import type { ToolUseContext } from '../../../src/tools/tool.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

/** The uses of the list of a team by one agent; `gone` has ended. */
function createMember(name = 'ann') {
  let list = NO_SHARED_TASKS;
  const asked: unknown[] = [];
  const teams: TeamCapabilities = {
    create: (team, description) => Promise.resolve(void asked.push(['create', team, description])),
    delete: (team) => Promise.resolve([`m of ${team}`]),
    list: (team) => ({ name: team ?? 'crew', list }),
    isLive: (owner) => owner !== 'gone',
    addTask(task) {
      const added = addSharedTask(list, task);
      list = applySharedTasks(list, { changed: [added], deleted: [] });
      return Promise.resolve(added);
    },
    changeTask(id, change) {
      const by = { name, isLead: name === 'main', isLive: (one: string) => one !== 'gone' };
      const outcome = changeSharedTask(list, id, change, by);
      if ('problem' in outcome) return Promise.reject(new Error(outcome.problem));
      list = applySharedTasks(list, outcome);
      return Promise.resolve(list.tasks.get(id));
    },
    needsPlan: () => false,
    submitPlan: () => Promise.resolve(''),
  };
  const context: ToolUseContext = createContext('/w', { tasks: { teams } });
  return { context, asked };
}

const create = (subject: string) => ({ subject, description: `All of ${subject}.` });

describe('the tools of a shared list', () => {
  it('put tasks on it, change them and show them', async () => {
    const { context } = createMember();
    expect(await runText(TaskListTool, {}, context)).toBe('The list "crew" is empty.');
    expect(await runText(TaskCreateTool, create('one'), context)).toBe(
      'Task #1 is on the list "crew": one',
    );
    await runText(TaskCreateTool, { ...create('two'), metadata: { size: 2 } }, context);
    expect(await runText(TaskUpdateTool, { taskId: '#2', addBlockedBy: ['1'] }, context)).toBe(
      '[ ] #2 two (blocked by #1)',
    );
    expect(await runText(TaskUpdateTool, { taskId: '1', status: 'in_progress' }, context)).toBe(
      '[>] #1 one (ann)',
    );
    expect(await runText(TaskListTool, {}, context)).toBe(
      'The list "crew":\n[>] #1 one (ann)\n[ ] #2 two (blocked by #1)',
    );
    expect(await runText(TaskGetTool, { taskId: '1' }, context)).toBe(
      '[>] #1 one (ann)\nAll of one.\nBlocks: #2',
    );
    await runText(TaskUpdateTool, { taskId: '1', status: 'completed' }, context);
    expect(await runText(TaskGetTool, { taskId: '2' }, context)).toBe(
      '[ ] #2 two\nAll of two.\nMetadata: {"size":2}',
    );
    expect(await runText(TaskUpdateTool, { taskId: '2', status: 'deleted' }, context)).toBe(
      'Task #2 is deleted.',
    );
  });

  it('say of a task that its owner has ended', async () => {
    const { context } = createMember('main');
    await runText(TaskCreateTool, create('one'), context);
    await runText(TaskUpdateTool, { taskId: '1', owner: 'gone', status: 'in_progress' }, context);
    expect(await runText(TaskListTool, {}, context)).toContain(
      '[>] #1 one (gone, who has ended: it may be taken)',
    );
  });

  it.each([
    [TaskUpdateTool, { taskId: 'x' }, 'TaskUpdate: taskId: give the number of a task'],
    [TaskUpdateTool, { taskId: '1', status: 'done' }, 'TaskUpdate: status must be one of'],
    [TaskCreateTool, { subject: ' ', description: '' }, 'TaskCreate: subject: it is empty'],
    [
      TaskGetTool,
      { taskId: '9' },
      'TaskGet: there is no task #9 on the list "crew". There are: none.',
    ],
    [
      TeamCreateTool,
      { team_name: '../x' },
      'TeamCreate: team_name: the name of a team has letters',
    ],
    [TeamCreateTool, { team_name: 'session' }, 'is the list of the session itself'],
  ] as const)('%o refuses %j', async (tool, input, message) => {
    const { context } = createMember();
    await expect(runText(tool as never, input, context)).rejects.toThrow(message);
  });

  it.each([
    [TaskListTool, {}],
    [TeamDeleteTool, { team_name: 'crew' }],
  ] as const)('%o needs an orchestrator', async (tool, input) => {
    const call = runText(tool as never, input, createContext('/w'));
    await expect(call).rejects.toMatchObject({ code: 'TASKS_UNAVAILABLE' });
  });
});

describe('the tools of teams', () => {
  it('make one, and delete one with those that rest', async () => {
    const { context, asked } = createMember();
    const input = { team_name: 'crew', description: 'Mends it.' };
    expect(await runText(TeamCreateTool, input, context)).toContain('You lead the team "crew".');
    expect(asked).toEqual([['create', 'crew', 'Mends it.']]);
    expect(await runText(TeamDeleteTool, { team_name: 'crew' }, context)).toBe(
      'The team "crew" is deleted. Ended with it: m of crew.',
    );
  });
});
