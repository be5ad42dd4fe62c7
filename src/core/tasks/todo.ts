import { z } from 'zod';

const text = z.string().refine((value) => value.trim() !== '', 'it is empty');

/** One line of the list that an agent keeps of its own work. */
export const TodoItem = z.object({
  content: text.describe('What is to be done, as an order: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: text.describe('The same while it is being done: "Running the tests"'),
});
export type TodoItem = Readonly<z.infer<typeof TodoItem>>;
