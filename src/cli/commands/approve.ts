import type { PermissionAnswer, PermissionRequest, PermissionUpdate } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { tryParseJson } from '../../api/json.js';
import { choicesOf } from '../approval/choices.js';
import type { CommandLine } from '../arguments/command-line.js';
import { filled, oneOf } from '../arguments/flag-readers.js';
import { decideRequest } from '../control/decide-request.js';
import type { World } from '../control/see-running.js';
import { parseChoice, readQuestions } from '../terminal-questions.js';

/**
 * `troupe approve`: allow a permission request of a running agent, or answer its question.
 *
 * @returns the exit code
 * @throws UsageError if no request has the ID, or a flag does not fit it; TaskFailedError if the decision does not count
 */
export function run(line: CommandLine, world: World): Promise<number> {
  const [requestId = ''] = line.words;
  return decideRequest(requestId, ({ request }) => toAnswer(request, line), {
    by: 'troupe approve',
    world,
  });
}

/** @throws UsageError */
function toAnswer(request: PermissionRequest, line: CommandLine): PermissionAnswer {
  const update = lastingUpdate(request, oneOf(line, '--always'));
  const updatedInput = answered(request, line.values('--answer')) ?? editedInput(line);
  if (request.kind === 'elicitation' && updatedInput === undefined)
    throw new UsageError(
      `${request.requestId} is a form of an MCP server: give its content with --edit '{"action": "accept", "content": {…}}'.`,
    );
  const acceptFeedback = filled(line, '--message');
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

/** @throws UsageError if the value of `--edit` is not a JSON object */
function editedInput(line: CommandLine): PermissionRequest['input'] | undefined {
  const text = filled(line, '--edit');
  if (text === undefined) return undefined;
  const input = tryParseJson(text);
  if (typeof input === 'object' && input !== null && !Array.isArray(input))
    return input as PermissionRequest['input']; // an object has text keys
  throw new UsageError(
    '--edit: this is not a JSON object. Give the whole input: {"command": "npm test"}.',
  );
}
