import { z } from 'zod';
import type { AppState } from '../../core/agents/app-state.js';
import { TodoItem } from '../../core/tasks/todo.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';

export const TodoWriteInput = z.object({
  todos: z.array(TodoItem).describe('The whole list: it replaces the one before'),
});
export type TodoWriteInput = z.infer<typeof TodoWriteInput>;

export const TodoWriteOutput = z.lazy(() =>
  z.object({
    oldTodos: z.array(TodoItem).readonly(),
    newTodos: z.array(TodoItem).readonly(),
  }),
);
export type TodoWriteOutput = Readonly<z.infer<typeof TodoWriteOutput>>;

const TODO_MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

/** Replaces the agent's own to-do list. Agents do not see each other's lists. */
export const TodoWriteTool = completeTool<typeof TodoWriteInput, TodoWriteOutput>({
  name: 'TodoWrite',
  searchHint: 'plan, checklist, progress of your own work',
  inputSchema: TodoWriteInput,
  outputSchema: TodoWriteOutput,
  isReadOnly: () => true, // the tool touches only the list
  checkPermissions: () => allowCoordination('changes nothing but its own list'),
  description: ({ todos }) => `${todos.length} to do`,
  prompt: () => PROMPT,
  present: ({ newTodos }) => ({
    kind: 'list',
    items: newTodos.map(({ content, status }) => `${TODO_MARKS[status]} ${content}`),
  }),
  mapToolResultToToolResultBlockParam: ({ newTodos }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeTodos(newTodos),
  }),

  call({ todos }, { session }) {
    const { agentId, getAppState, setAppState, setAppStateForTasks = setAppState } = session;
    if (agentId === undefined) return Promise.resolve({ data: { oldTodos: [], newTodos: todos } });
    const oldTodos = getAppState?.().todos[agentId] ?? [];
    setAppStateForTasks?.((state: AppState) => ({
      ...state,
      todos: { ...state.todos, [agentId]: todos },
    }));
    return Promise.resolve({ data: { oldTodos, newTodos: todos } });
  },
});

const MARKS = { pending: ' ', in_progress: '>', completed: 'x' } as const;

function describeTodos(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return 'The list is empty now.';
  const left = todos.filter(({ status }) => status !== 'completed').length;
  const lines = todos.map(({ content, status }) => `[${MARKS[status]}] ${content}`);
  return `The list now, ${left} of ${todos.length} to be done:\n${lines.join('\n')}`;
}

const PROMPT = `Keeps your to-do list for work of several steps. Each call replaces the whole list.

- Have one item in_progress at a time, and mark it completed at once, but only after you have checked it.
- Work of one or two steps needs no list.`;
