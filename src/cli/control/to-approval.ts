import type { PermissionAnswer, PermissionRequest, PermissionUpdate } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { choicesOf } from '../approval/choices.js';
import { parseChoice, readQuestions } from '../terminal-questions.js';

/** An approval as a person wants it. */
export type WantedApproval = {
  /** Allow such calls from now on. */
  readonly always?: 'session' | 'folder' | undefined;
  /** The answer to each question: the number of an option, or own words. */
  readonly answers?: readonly string[] | undefined;
  /** The whole input that runs instead. */
  readonly input?: PermissionRequest['input'] | undefined;
  /** A note for the agent. */
  readonly message?: string | undefined;
};

/** @throws UsageError if the approval does not fit the request */
export function toApproval(
  request: PermissionRequest,
  { always, answers = [], input, message: acceptFeedback }: WantedApproval,
): PermissionAnswer {
  const update = lastingUpdate(request, always);
  const updatedInput = answered(request, answers) ?? input;
  if (request.kind === 'elicitation' && updatedInput === undefined)
    throw new UsageError(
      `${request.requestId} is a form of an MCP server: give its content with --edit '{"action": "accept", "content": {…}}'.`,
    );
  return {
    behavior: 'allow',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(update === undefined ? {} : { updatedPermissions: [update] }),
    ...(acceptFeedback === undefined ? {} : { acceptFeedback }),
  };
}

/** The narrowest update of the scope. @throws UsageError if the request has none */
function lastingUpdate(
  request: PermissionRequest,
  scope: 'session' | 'folder' | undefined,
): PermissionUpdate | undefined {
  if (scope === undefined) return undefined;
  const { session, folder } = choicesOf(request, '');
  const [update] = scope === 'session' ? session : folder;
  if (update !== undefined) return update;
  throw new UsageError(
    `--always ${scope}: no rule would allow calls such as this one. Allow it once: leave --always out.`,
  );
}

/** The input with the answers to its questions, in their order. @throws UsageError if they are not one for each question */
function answered(
  { kind, requestId, input }: PermissionRequest,
  said: readonly string[],
): PermissionRequest['input'] | undefined {
  const asked = kind === 'question' ? readQuestions(input) : undefined;
  if (asked === undefined) {
    if (said.length === 0) return undefined;
    throw new UsageError(`--answer: ${requestId} has no questions. Leave --answer out.`);
  }
  const { questions } = asked;
  if (said.length !== questions.length)
    throw new UsageError(
      `${requestId} has ${questions.length === 1 ? 'a question' : `${questions.length} questions`}: give --answer TEXT ${questions.length === 1 ? 'once' : `${questions.length} times, in the order of the questions`}. TEXT is a number of an option, or your own words.`,
    );
  const answers = questions.map((question, index) => {
    const chosen = parseChoice(said[index]?.trim() ?? '', question);
    if (chosen === undefined || chosen === 'own words')
      throw new UsageError(
        `--answer: "${said[index] ?? ''}" is no answer to "${question.question}". Give a number from 1 to ${question.options.length}, or your own words.`,
      );
    return [question.question, question.multiSelect ? [...chosen] : chosen.join(', ')] as const;
  });
  return { ...input, answers: Object.fromEntries(answers) };
}
