import { z } from 'zod';
import { CronEntry } from '../../core/time/cron-entry.js';
import { completeTool } from '../complete-tool.js';
import { describeTimes } from './describe-entry.js';
import { requireSchedule } from './require-schedule.js';
import { allowCoordination } from '../allow-coordination.js';

export const CronCreateInput = z.object({
  cron: z
    .string()
    .max(200)
    .describe('Minute, hour, day of month, month, day of week, local time: "*/5 * * * *"'),
  prompt: z.string().trim().min(1).max(20_000).describe('The prompt that you get then'),
  recurring: z.boolean().default(true).describe('false: once, at the next time'),
});
export type CronCreateInput = z.infer<typeof CronCreateInput>;

export const CronCreateOutput = z.lazy(() =>
  z.object({
    entry: CronEntry,
    /** Whether the agent stays when it has nothing to do. */
    staysOpen: z.boolean(),
  }),
);
export type CronCreateOutput = Readonly<z.infer<typeof CronCreateOutput>>;

/** Schedules prompts for the agent. Resolves when the entry is on stable storage. */
export const CronCreateTool = completeTool<typeof CronCreateInput, CronCreateOutput>({
  name: 'CronCreate',
  shouldDefer: true,
  searchHint: 'schedule a reminder or recurring prompt for later',
  inputSchema: CronCreateInput,
  outputSchema: CronCreateOutput,
  toAutoClassifierInput: ({ cron, prompt }) => `${cron}: ${prompt}`,
  checkPermissions: () => allowCoordination('sends this agent a prompt later'),
  description: ({ cron, prompt }) => `${cron}: ${prompt}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: ({ entry, staysOpen }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `Scheduled as ${entry.id}: ${describeTimes(entry)}.${staysOpen ? '' : ENDS}`,
  }),

  async call(input, context) {
    const schedule = requireSchedule('CronCreate', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    const entry = await schedule.create(input);
    return { data: { entry, staysOpen: schedule.staysOpen() } };
  },
});

const ENDS =
  ' It does not keep you alive: when you have nothing left to do you end, and it ends with you. Use Sleep to stay until then.';

const PROMPT = `Schedules a prompt: you get it at every time that the cron expression names, or once with recurring: false.

- The prompt comes while you work (between two tool calls) or wakes you when you are idle. Missed times come once.
- A recurring entry expires after 7 days. All entries end with you; CronList shows and CronDelete deletes them.`;
