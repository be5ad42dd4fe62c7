import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../core/errors.js';
import {
  isZodSchema,
  STRUCTURED_OUTPUT,
  toOutputSchema,
} from '../../../tools/dialogue/structured-output.js';
import { checkContent } from '../../contract/check-content.js';
import { checkSignal } from '../../services/check-signal.js';
import type { SessionStart } from '../../contract/session-start.js';
import type { SessionChoices } from '../../agents/session/session-options.js';
import type { ResumedSession } from '../../agents/session/resumed-session.js';

/** The API takes no less. */
const LEAST_THINKING_TOKENS = 1_024;

/** What a start can be found wrong with before any session is opened. @throws UsageError */
export function checkStart(start: SessionStart, { maxTokens }: { maxTokens: number }): void {
  checkSignal(start.signal);
  if (start.prompt !== undefined) checkContent(start.prompt);
  const goesOn = start.resume !== undefined || start.continues === true;
  if (goesOn && (start.systemPrompt ?? start.appendSystemPrompt) !== undefined)
    throw new UsageError(
      'A session that is gone on with keeps its system prompt, so that its requests extend those before them: leave systemPrompt and appendSystemPrompt out, also with a fork.',
    );
  if (start.outputSchema !== undefined) toOutputSchema(start.outputSchema);
  if (start.title !== undefined && (/[\r\n]/.test(start.title) || start.title.trim() === ''))
    throw new UsageError('The title of a session is one line with something on it.');
  checkThinking(start.thinking, { maxTokens });
}

/** @throws UsageError for a budget that the API would refuse */
export function checkThinking(
  thinking: SessionStart['thinking'],
  { maxTokens }: { readonly maxTokens: number },
): void {
  if (thinking?.type !== 'enabled') return;
  const { budgetTokens } = thinking;
  if (
    !Number.isInteger(budgetTokens) ||
    budgetTokens < LEAST_THINKING_TOKENS ||
    budgetTokens >= maxTokens
  )
    throw new UsageError(
      `thinking.budgetTokens is ${budgetTokens}: give a whole number from ${LEAST_THINKING_TOKENS} to below maxTokens, which is ${maxTokens}.`,
    );
}

/**
 * What a session is begun with, or goes on with.
 *
 * @throws UsageError for a schema that is not the one that it was begun with
 */
export function choicesOf(
  start: SessionStart,
  resumed: Pick<ResumedSession, 'effort' | 'prompt' | 'thinking'> | undefined,
): SessionChoices {
  const effort = start.effort ?? resumed?.effort;
  const thinking = start.thinking ?? resumed?.thinking;
  const { outputSchema: given } = start;
  const asked = given === undefined ? undefined : toOutputSchema(given);
  const outputSchema = resumed === undefined ? asked : keptSchema(asked, resumed);
  const { systemPrompt, appendSystemPrompt, title } = start;
  return {
    effort,
    thinking,
    outputSchema,
    outputType: given !== undefined && isZodSchema(given) ? given : undefined,
    systemPrompt,
    appendSystemPrompt,
    title,
  };
}

/** Its tools are frozen, and the schema is the input of one of them. */
function keptSchema(
  outputSchema: SessionChoices['outputSchema'],
  { prompt }: Pick<ResumedSession, 'prompt'>,
): SessionChoices['outputSchema'] {
  const kept = prompt.tools.find(({ name }) => name === STRUCTURED_OUTPUT)?.input_schema;
  if (outputSchema === undefined || isDeepStrictEqual(kept, outputSchema)) return kept;
  const was =
    kept === undefined ? 'without a schema for its output' : `with ${JSON.stringify(kept)}`;
  throw new UsageError(
    `The session was begun ${was} and goes on so: leave the schema out, or start a new session.`,
  );
}
