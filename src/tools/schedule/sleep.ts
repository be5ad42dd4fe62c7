import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { requireSchedule } from './require-schedule.js';
import { allowCoordination } from '../allow-coordination.js';

const MOST_SECONDS = 24 * 3_600;

export const SleepInput = z.object({
  seconds: z.number().positive().max(MOST_SECONDS).describe('How long; at most a day'),
});
export type SleepInput = z.infer<typeof SleepInput>;

export const SleepOutput = z.lazy(() => z.object({ isWoken: z.boolean() }));
export type SleepOutput = Readonly<z.infer<typeof SleepOutput>>;

/** Waits, and keeps the agent alive. Ends early if a message arrives. */
export const SleepTool = completeTool<typeof SleepInput, SleepOutput>({
  name: 'Sleep',
  shouldDefer: true,
  searchHint: 'wait for some time or until a message comes',
  inputSchema: SleepInput,
  outputSchema: SleepOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  checkPermissions: () => allowCoordination('only waits'),
  description: ({ seconds }) => `Wait ${seconds} s`,
  prompt: () =>
    'Waits. Ends early when something arrives for you: a message, the end of a background task, a scheduled prompt. Use it instead of a shell `sleep`, and only if there is nothing else to do.',
  mapToolResultToToolResultBlockParam: ({ isWoken }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: isWoken ? 'Woken early: something has arrived for you.' : 'The time is over.',
  }),

  async call({ seconds }, context) {
    const { toolUseId, abortController } = context.call;
    const { sleep } = requireSchedule('Sleep', context.tasks);
    return { data: await sleep(toolUseId, seconds * 1_000, abortController.signal) };
  },
});
