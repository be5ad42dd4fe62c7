import { TaskFailedError, toFailure } from '../../../core/errors.js';
import type { Message } from '../../../core/messages.js';
import {
  SUMMARY_SYSTEM,
  summaryLimits,
  toSummaryMessages,
} from '../../../context/compaction/summary-request.js';
import { CONTEXT_WINDOW_EXCEEDED } from '../../../machines/agent/agent-failures.js';
import { askModel, type AskModelOptions, type Asker } from '../requests/ask-model.js';
import type { SamplingServices } from '../requests/sampling-services.js';

/** How often a transcript that is too long for the model is halved. */
const MOST_HALVINGS = 3;

/**
 * Ask an agent's model for a summary of old messages. Shorten the material until it fits.
 *
 * @throws TaskFailedError; the signal's reason if it is aborted
 */
export async function summarise(
  asker: Asker,
  services: SamplingServices,
  {
    old,
    instructions,
    contextWindow,
  }: {
    readonly old: readonly Message[];
    readonly instructions: string | undefined;
    readonly contextWindow: number;
  },
  options: AskModelOptions,
): Promise<string> {
  const limits = summaryLimits({ contextWindow, maxTokens: services.maxTokens });
  let { maxChars } = limits;
  for (let halvings = 0; ; halvings += 1) {
    const messages = toSummaryMessages(old, { maxChars, instructions });
    try {
      const question = { system: SUMMARY_SYSTEM, messages, maxTokens: limits.maxTokens };
      const summary = await askModel(asker, services, question, options);
      if (summary.trim() !== '') return summary;
      throw new TaskFailedError({
        code: 'SUMMARY_EMPTY',
        message: 'the model’s summary is empty.',
      });
    } catch (error) {
      const isTooLong = toFailure(error).code === CONTEXT_WINDOW_EXCEEDED;
      if (!isTooLong || halvings === MOST_HALVINGS) throw error;
      maxChars = Math.floor(maxChars / 2);
    }
  }
}
