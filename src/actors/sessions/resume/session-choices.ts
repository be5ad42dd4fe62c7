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

/** The least number of tokens that the API accepts. */
const LEAST_THINKING_TOKENS = 1_024;

/** Check the options of a start that need no open session. @throws UsageError */
export function checkStart(start: SessionStart, { maxTokens }: { maxTokens: number }): void {
  checkSignal(start.signal);
  if (start.prompt !== undefined) checkContent(start.prompt);
  const resumes = start.resume !== undefined || start.continues === true;
  if (resumes && (start.systemPrompt ?? start.appendSystemPrompt) !== undefined)
    throw new UsageError(
      'A resumed session keeps its system prompt, and so does its fork: remove systemPrompt and appendSystemPrompt.',
    );
  if (start.outputSchema !== undefined) toOutputSchema(start.outputSchema);
  if (start.title !== undefined && (/[\r\n]/.test(start.title) || start.title.trim() === ''))
    throw new UsageError('The title of a session must be one line that is not blank.');
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
 * The choices of a new or resumed session.
 *
 * @throws UsageError for a schema other than the one that the session was begun with
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
  const { systemPrompt, appendSystemPrompt, title, backgroundsSkills, onDefer } = start;
  const { enableFileCheckpointing } = start;
  return {
    effort,
    thinking,
    outputSchema,
    outputType: given !== undefined && isZodSchema(given) ? given : undefined,
    systemPrompt,
    appendSystemPrompt,
    title,
    backgroundsSkills,
    onDefer,
    enableFileCheckpointing,
  };
}

/** The session's tools are frozen, and the schema is the input of one of them. */
function keptSchema(
  outputSchema: SessionChoices['outputSchema'],
  { prompt }: Pick<ResumedSession, 'prompt'>,
): SessionChoices['outputSchema'] {
  const kept = prompt.tools.find(({ name }) => name === STRUCTURED_OUTPUT)?.input_schema;
  if (outputSchema === undefined || isDeepStrictEqual(kept, outputSchema)) return kept;
  const was =
    kept === undefined ? 'without a schema for its output' : `with ${JSON.stringify(kept)}`;
  throw new UsageError(
    `The session was begun ${was} and keeps that: remove the schema, or start a new session.`,
  );
}
