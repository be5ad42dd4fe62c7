import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionRequest } from '../../core/events.js';
import { strictObject } from '../../core/text/strict-object.js';
import { AskUserQuestionInput } from '../../tools/dialogue/ask-user-question.js';

/** A decision in the words of a client. */
export const DecideInput = strictObject({
  requestId: z.string().min(1).describe('ID of a pending request'),
  decision: z.enum(['allow', 'deny']),
  message: z.string().min(1).optional().describe('Words for the agent'),
  answers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('For a question that is allowed: the answers, by the text of the question'),
});

export type Decision = Omit<z.infer<typeof DecideInput>, 'requestId'>;

/**
 * Convert a decision of a client to the answer of an approver.
 *
 * @param by name of the client, for a denial without words
 * @throws UsageError if a question is allowed without an answer to it
 */
export function toAnswer(
  { decision, message, answers }: Decision,
  request: Pick<PermissionRequest, 'kind' | 'input'> | undefined,
  by: string,
): PermissionAnswer {
  if (decision === 'deny')
    return { behavior: 'deny', message: message ?? `The ${by} denied this.` };
  const words = message === undefined ? {} : { acceptFeedback: message };
  if (request?.kind !== 'question') return { behavior: 'allow', ...words };
  const questions = questionsOf(request).map(({ question }) => question);
  const given = Object.keys(answers ?? {});
  if (given.length === 0 || given.some((one) => !questions.includes(one)))
    throw new UsageError(
      `answers: name answers by the text of the question: ${questions.map((one) => JSON.stringify(one)).join(', ')}.`,
    );
  const updatedInput = { ...request.input, answers };
  return { behavior: 'allow', updatedInput, ...words };
}

/** The questions of a request; none if its input is not that of the tool. */
export function questionsOf({
  input,
}: Pick<PermissionRequest, 'input'>): AskUserQuestionInput['questions'] {
  return AskUserQuestionInput.safeParse(input).data?.questions ?? [];
}
