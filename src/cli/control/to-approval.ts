import type { PermissionAnswer, PermissionRequest, PermissionUpdate } from '../../api/types.js';
import { messageOf, UsageError } from '../../api/errors.js';
import { fillForm, readElicitation } from '../../api/sessions/prompts.js';
import { choicesOf } from '../approval/choices.js';
import { parseChoice, readQuestions } from '../approval/terminal-questions.js';

/** An approval as a person wants it. */
export type WantedApproval = {
  /** Allow such calls from now on. */
  readonly always?: 'session' | 'folder' | undefined;
  /** The answer to each question: a typed line, or the labels and own words that were chosen. */
  readonly answers?: readonly (string | readonly string[])[] | undefined;
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
  if (request.kind === 'elicitation') requireForm(request, updatedInput);
  return {
    behavior: 'allow',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(update === undefined ? {} : { updatedPermissions: [update] }),
    ...(acceptFeedback === undefined ? {} : { acceptFeedback }),
  };
}

/** @throws UsageError if the content does not fit the form of the server */
function requireForm(
  { requestId, input }: PermissionRequest,
  answer: PermissionRequest['input'] | undefined,
): void {
  if (answer === undefined)
    throw new UsageError(
      `${requestId} is a form of an MCP server: give its content with --edit '{"action": "accept", "content": {…}}'.`,
    );
  const form = readElicitation(input)?.requestedSchema;
  if (form === undefined) return;
  try {
    fillForm(form, answer['content'] ?? {});
  } catch (error) {
    throw new UsageError(`The form is not filled in: ${messageOf(error)}.`);
  }
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
  said: readonly (string | readonly string[])[],
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
    const one = said[index] ?? '';
    const chosen = typeof one === 'string' ? parseChoice(one.trim(), question) : one;
    if (chosen === undefined || chosen === 'own words' || !isWhole(chosen, question))
      throw new UsageError(
        `--answer: "${String(one)}" is no answer to "${question.question}". Give a number from 1 to ${question.options.length}, or your own words.`,
      );
    return [question.question, question.multiSelect ? [...chosen] : chosen.join(', ')] as const;
  });
  return { ...input, answers: Object.fromEntries(answers) };
}

function isWhole(
  chosen: readonly string[],
  { multiSelect }: { readonly multiSelect: boolean },
): boolean {
  const isFilled = chosen.length > 0 && chosen.every((one) => one.trim() !== '');
  return isFilled && (multiSelect || chosen.length === 1);
}
