import { z } from 'zod';
import type { TodoItem } from '../screen/screen-state.js';

const Input = z.object({
  todos: z.array(
    z.object({
      content: z.string(),
      activeForm: z.string().optional(),
      status: z.enum(['pending', 'in_progress', 'completed']),
    }),
  ),
});

/** The to-do list that a call has written; undefined for another call. */
export function readTodos(use: {
  readonly name: string;
  readonly input: unknown;
}): readonly TodoItem[] | undefined {
  if (use.name !== 'TodoWrite') return undefined;
  return Input.safeParse(use.input).data?.todos.map(({ content, activeForm, status }) => ({
    text: status === 'in_progress' ? (activeForm ?? content) : content,
    status,
  }));
}
