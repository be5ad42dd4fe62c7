import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { AskHandler } from '../actors/public-types.js';
import type { PermissionRequest } from '../core/events.js';
import type { PermissionAnswer, PermissionUpdate } from '../core/permission-types.js';
import { formatRule } from '../permissions/rule.js';
import { agentLabel, inputSubject, printable } from './printable.js';
import { askQuestions, readQuestions, type AskLine } from './terminal-questions.js';

/** Asks the person at a terminal, one question at a time, in the order in which they came. */
export function createTerminalPrompt(input: Readable, output: Writable): AskHandler {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const asked = last.then(() => askPerson(request, signal, input, output));
    last = asked;
    return asked;
  };
}

async function askPerson(
  request: PermissionRequest,
  signal: AbortSignal,
  input: Readable,
  output: Writable,
): Promise<PermissionAnswer | undefined> {
  if (signal.aborted) return undefined; // answered or withdrawn while others were asked
  const { kind, agentId } = request;
  // Lines as the terminal makes them: an interrupt stays a signal.
  const lines = createInterface({ input, output, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const withdrawn = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  withdrawn.catch(() => {}); // whoever waits for a line is told
  const ask: AskLine = async (text) => {
    output.write(`${text}> `);
    const { done, value } = await Promise.race([typed.next(), withdrawn]);
    return done === true ? undefined : value;
  };
  try {
    const questions = kind === 'question' ? readQuestions(request.input) : undefined;
    const answer =
      questions === undefined
        ? await askForLeave(request, ask)
        : await askQuestions(questions, agentLabel(agentId), ask);
    return answer ?? { behavior: 'deny', message: 'The terminal was closed: nobody can be asked.' };
  } catch (error) {
    if (!signal.aborted) throw error;
    output.write('\n  Withdrawn: no answer is needed any more.\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** Until there is an answer; undefined where the terminal is closed. */
async function askForLeave(
  request: PermissionRequest,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  const { suggestions } = request;
  let text = `\n${questionText(request)}`;
  for (;;) {
    const said = await ask(text);
    if (said === undefined) return undefined;
    const answer = parseReply(said, suggestions);
    if (answer !== undefined) return answer;
    text = `  y, n${suggestions.length > 0 ? ' or a' : ''}, then Enter.\n`;
  }
}

/** What the person is shown: who asks, and the exact command, path or plan. */
export function questionText(request: PermissionRequest): string {
  const { kind, agentId, toolName, input, message, suggestions } = request;
  const who = agentLabel(agentId);
  const [suggestion] = suggestions;
  const more = suggestion === undefined ? '' : describeUpdate(suggestion);
  const plan = kind === 'plan' ? input['plan'] : undefined;
  if (typeof plan === 'string')
    return [
      `${who} has a plan:`,
      `    ${indented(plan)}`,
      `  ${printable(message)}`,
      `  y carry it out · n keep planning (n REASON says what to change)${more && ` · a carry it out, ${more}`}`,
      '',
    ].join('\n');
  return [
    `${who} asks to use ${toolName}:`,
    `    ${indented(inputSubject(input))}`,
    `  ${printable(message)}`,
    `  y allow once · n refuse (n REASON tells it why)${more && ` · a always (${more})`}`,
    '',
  ].join('\n');
}

function indented(text: string): string {
  return printable(text).replaceAll('\n', '\n    ');
}

/** What was typed, as an answer; undefined where it is none. A bare refusal says nothing to the model. */
export function parseReply(
  text: string,
  suggestions: readonly PermissionUpdate[],
): PermissionAnswer | undefined {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  const reason = rest.join(' ');
  const [suggestion] = suggestions;
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return { behavior: 'allow' };
    case 'n':
    case 'no':
      return reason === '' ? { behavior: 'deny' } : { behavior: 'deny', message: reason };
    case 'a':
    case 'always':
      return suggestion === undefined
        ? undefined
        : { behavior: 'allow', updatedPermissions: [suggestion] };
    default:
      return undefined;
  }
}

function describeUpdate(update: PermissionUpdate): string {
  if ('rules' in update) return printable(update.rules.map(formatRule).join(', '));
  if ('directories' in update) return printable(update.directories.join(', '));
  return `mode ${update.mode}`;
}
