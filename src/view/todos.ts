import { z } from 'zod';
import { SHARED_TASK_STATUSES, type SharedTask } from '../core/tasks/shared-task.js';

/** A to-do item. */
export type BoardItem = Pick<SharedTask, 'id' | 'subject' | 'status' | 'owner' | 'blockedBy'>;

/** The to-do list that a call of `TodoWrite` writes. */
export function todosOf(input: unknown): readonly BoardItem[] {
  const { todos = [] } = Todos.safeParse(input).data ?? {};
  return todos.map(({ content, status }, index) => ({
    id: String(index + 1),
    subject: content,
    status,
    blockedBy: [],
  }));
}

const Todos = z.lazy(() =>
  z.object({
    todos: z.array(z.object({ content: z.string(), status: z.enum(SHARED_TASK_STATUSES) })),
  }),
);
