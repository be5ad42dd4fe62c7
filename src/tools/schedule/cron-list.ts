import { z } from 'zod';
import { CronEntry } from '../../core/time/cron-entry.js';
import { completeTool } from '../complete-tool.js';
import { describeEntry } from './describe-entry.js';
import { requireSchedule } from './require-schedule.js';
import { allowCoordination } from '../allow-coordination.js';

export const CronListInput = z.object({});
export const CronListOutput = z.lazy(() => z.object({ entries: z.array(CronEntry).readonly() }));
export type CronListOutput = Readonly<z.infer<typeof CronListOutput>>;

/** Lists the entries of the agent, oldest first. */
export const CronListTool = completeTool<typeof CronListInput, CronListOutput>({
  name: 'CronList',
  shouldDefer: true,
  searchHint: 'scheduled prompts and their next time',
  inputSchema: CronListInput,
  outputSchema: CronListOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('reads its own list'),
  description: () => 'What is scheduled',
  prompt: () => 'Lists your entries of CronCreate: ID, expression, next time, prompt.',
  mapToolResultToToolResultBlockParam: ({ entries }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: entries.length === 0 ? 'Nothing is scheduled.' : entries.map(describeEntry).join('\n'),
  }),

  async call(_input, context) {
    return { data: { entries: await requireSchedule('CronList', context.tasks).list() } };
  },
});
