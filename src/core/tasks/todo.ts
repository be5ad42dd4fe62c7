import { z } from 'zod';

const text = z.string().refine((value) => value.trim() !== '', 'it is empty');

/** An entry of an agent's own to-do list. */
export type TodoItem = {
  /** The work, as an order: `Run the tests`. Not blank. */
  readonly content: string;
  /** Whether the agent has begun the work, or completed it. */
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** The same while it is being done: `Running the tests`. Not blank. */
  readonly activeForm: string;
};
export const TodoItem = z.object({
  content: text.describe('The work, as an order: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: text.describe('The same while it is being done: "Running the tests"'),
}) satisfies z.ZodType<TodoItem>;
