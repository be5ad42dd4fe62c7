import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { requireSchedule } from './require-schedule.js';
import { allowCoordination } from '../allow-coordination.js';

export const CronDeleteInput = z.object({
  id: z.string().min(1).describe('The ID from CronCreate or CronList'),
});
export type CronDeleteInput = z.infer<typeof CronDeleteInput>;
export const CronDeleteOutput = z.lazy(() => z.object({ id: z.string() }));
export type CronDeleteOutput = z.infer<typeof CronDeleteOutput>;

/** Deletes an entry of the agent. Resolves when the change is on stable storage. */
export const CronDeleteTool = completeTool<typeof CronDeleteInput, CronDeleteOutput>({
  name: 'CronDelete',
  shouldDefer: true,
  searchHint: 'cancel a scheduled prompt',
  inputSchema: CronDeleteInput,
  outputSchema: CronDeleteOutput,
  toAutoClassifierInput: ({ id }) => id,
  checkPermissions: () => allowCoordination('deletes an entry of this agent'),
  description: ({ id }) => `Delete ${id}`,
  prompt: () => 'Deletes an entry that you have scheduled with CronCreate.',
  mapToolResultToToolResultBlockParam: ({ id }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `${id} is deleted: it will not come again.`,
  }),

  async call({ id }, context) {
    const schedule = requireSchedule('CronDelete', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    await schedule.delete(id);
    return { data: { id } };
  },
});
