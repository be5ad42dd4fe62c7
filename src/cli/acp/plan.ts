import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';

/** The to-do list of the main agent, as the plan that a client shows. */
export interface PlanOfSession {
  /** Take a completed call. @returns the plan if the call has changed it */
  take(call: { readonly name: string; readonly input: unknown }, data: unknown): SessionUpdate[];
}

const Status = z.enum(['pending', 'in_progress', 'completed']);
const TodoWrite = z.object({ todos: z.array(z.object({ content: z.string(), status: Status })) });
const TaskCreate = z.object({ task: z.object({ id: z.string(), subject: z.string() }) });
const TaskUpdate = z.object({
  taskId: z.string(),
  subject: z.string().optional(),
  status: z.enum([...Status.options, 'deleted']).optional(),
});

type Entry = Pick<PlanEntry, 'content' | 'status'>;

export function createPlan(): PlanOfSession {
  let todos: readonly Entry[] = [];
  /** Items of the list that agents share, by their number. */
  const shared = new Map<string, Entry>();

  const change = (name: string, input: unknown, data: unknown): boolean => {
    if (name === 'TodoWrite') {
      const list = TodoWrite.safeParse(input);
      if (list.success) todos = list.data.todos;
      return list.success;
    }
    if (name === 'TaskCreate') {
      const made = TaskCreate.safeParse(data);
      if (made.success)
        shared.set(made.data.task.id, { content: made.data.task.subject, status: 'pending' });
      return made.success;
    }
    const changed = name === 'TaskUpdate' ? TaskUpdate.safeParse(input).data : undefined;
    const known = changed && shared.get(changed.taskId);
    if (changed === undefined || known === undefined) return false;
    const { taskId, status = known.status, subject = known.content } = changed;
    if (status === 'deleted') shared.delete(taskId);
    else shared.set(taskId, { content: subject, status });
    return true;
  };

  return {
    take({ name, input }, data) {
      if (!change(name, input, data)) return [];
      const entries = [...todos, ...shared.values()].map(({ content, status }): PlanEntry => ({
        content,
        status,
        priority: 'medium',
      }));
      return [{ sessionUpdate: 'plan', entries }];
    },
  };
}
