import { describe, expect, it } from 'vitest';
import type { AppState } from '../../../src/core/agents/app-state.js';
import { AgentId } from '../../../src/core/ids.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { TodoWriteTool } from '../../../src/tools/tasks/todo-write.js';
import { AGENT_ID } from './task-world.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const OTHER_ID = AgentId.parse('aother-0123456789abcdef');

/** The state of a session, and TodoWrite called by agents of it. */
function createSession() {
  let state: AppState = {
    toolPermissionContext: getEmptyToolPermissionContext(),
    mainLoopModel: 'test',
    verbose: false,
    tasks: {},
    todos: {},
    agentNameRegistry: {},
  };
  const write = (agentId: AgentId, todos: unknown) =>
    runText(
      TodoWriteTool,
      { todos },
      createContext('/w', {
        session: {
          agentId,
          getAppState: () => state,
          setAppState: () => {},
          setAppStateForTasks: (update) => (state = update(state)),
        },
      }),
    );
  return { write, todos: () => state.todos };
}

const RUN = { content: 'Run the tests', status: 'in_progress', activeForm: 'Running the tests' };
const FIX = { content: 'Fix the bug', status: 'pending', activeForm: 'Fixing the bug' };

describe('TodoWrite', () => {
  it('keeps the list of each agent, and tells what it is now', async () => {
    const { write, todos } = createSession();
    expect(await write(AGENT_ID, [RUN, FIX])).toBe(
      'The list now, 2 of 2 to be done:\n[>] Run the tests\n[ ] Fix the bug',
    );
    await write(OTHER_ID, [FIX]);
    expect(todos()).toEqual({ [AGENT_ID]: [RUN, FIX], [OTHER_ID]: [FIX] });
  });

  it('replaces the list', async () => {
    const { write, todos } = createSession();
    await write(AGENT_ID, [RUN, FIX]);
    expect(await write(AGENT_ID, [{ ...RUN, status: 'completed' }])).toBe(
      'The list now, 0 of 1 to be done:\n[x] Run the tests',
    );
    expect(await write(AGENT_ID, [])).toBe('The list is empty now.');
    expect(todos()).toEqual({ [AGENT_ID]: [] });
  });

  it.each([
    [{}, 'TodoWrite: todos must be an array, not an object'],
    [[{ ...RUN, status: 'done' }], 'todos[0].status must be one of "pending"'],
    [[{ ...RUN, content: ' ' }], 'todos[0].content: it is empty'],
    [[{ content: 'x', status: 'pending' }], 'todos[0].activeForm is required'],
  ])('refuses %j', async (todos, message) => {
    const session = createSession();
    await expect(session.write(AGENT_ID, todos)).rejects.toThrow(message);
    expect(session.todos()).toEqual({});
  });

  it('works if there is no state to keep it in', async () => {
    const text = await runText(TodoWriteTool, { todos: [FIX] }, createContext('/w'));
    expect(text).toBe('The list now, 1 of 1 to be done:\n[ ] Fix the bug');
  });
});
