import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import type { AskHandler } from '../actors/public-types.js';
import type { PermissionRequest } from '../core/events.js';
import type { PermissionAnswer, PermissionUpdate } from '../core/permission-types.js';
import { formatRule } from '../permissions/rule.js';
import { printable } from '../core/printable.js';
import { agentLabel, inputSubject } from './tool-subject.js';
import type { OutputWriter } from './output-writer.js';
import { askQuestions, readQuestions, type AskLine } from './terminal-questions.js';

/** Where an ask is shown and answered, line by line. One is open at a time. */
export interface AskPlace {
  open(): {
    show(text: string): void;
    /** Undefined where there will be none any more. */
    nextLine(): Promise<string | undefined>;
    close(): void;
  };
}

/** Asks the person at a terminal, one question at a time, in the order in which they came. */
export function createTerminalPrompt(input: Readable, output: OutputWriter): AskHandler {
  return createAskHandler(createTerminalPlace(input, output));
}

export function createTerminalPlace(input: Readable, output: OutputWriter): AskPlace {
  return {
    open() {
      // Lines as the terminal makes them: an interrupt stays a signal.
      const lines = createInterface({ input, output: output.stream, terminal: false });
      const typed = lines[Symbol.asyncIterator]();
      return {
        show: (text) => void output.write(text),
        async nextLine() {
          void output.write('> ');
          const { done, value } = await typed.next();
          return done === true ? undefined : value;
        },
        close: () => lines.close(),
      };
    },
  };
}

/**
 * The same anywhere.
 *
 * @param labelOf what an asker is called
 */
export function createAskHandler(
  place: AskPlace,
  labelOf: (request: PermissionRequest) => string = ({ agentId }) => agentLabel(agentId),
): AskHandler {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const asked = last.then(() => askPerson(request, signal, place, labelOf(request)));
    last = asked.catch(() => {}); // whoever asked is told; the next ask has nothing to do with it
    return asked;
  };
}

async function askPerson(
  request: PermissionRequest,
  signal: AbortSignal,
  place: AskPlace,
  who: string,
): Promise<PermissionAnswer | undefined> {
  if (signal.aborted) return undefined; // answered or withdrawn while others were asked
  const lines = place.open();
  const withdrawn = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  withdrawn.catch(() => {}); // whoever waits for a line is told
  const ask: AskLine = async (text) => {
    lines.show(text);
    return Promise.race([lines.nextLine(), withdrawn]);
  };
  try {
    const questions = request.kind === 'question' ? readQuestions(request.input) : undefined;
    const answer =
      questions === undefined
        ? await askForLeave(request, who, ask)
        : await askQuestions(questions, who, ask);
    return answer ?? { behavior: 'deny', message: 'The terminal was closed: nobody can be asked.' };
  } catch (error) {
    if (!signal.aborted) throw error;
    lines.show('\n  Withdrawn: no answer is needed any more.\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** Until there is an answer; undefined where the terminal is closed. */
async function askForLeave(
  request: PermissionRequest,
  who: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  const { suggestions } = request;
  let text = `\n${questionText(request, who)}`;
  for (;;) {
    const said = await ask(text);
    if (said === undefined) return undefined;
    const answer = parseReply(said, suggestions);
    if (answer !== undefined) return answer;
    text = `  y, n${suggestions.length > 0 ? ' or a' : ''}, then Enter.\n`;
  }
}

/** What the person is shown: who asks, and the exact command, path or plan. */
export function questionText(
  { kind, agentId, toolName, input, message, suggestions }: PermissionRequest,
  who = agentLabel(agentId),
): string {
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
    `  y allow once · n refuse (n REASON tells it why)${lastingChoices(suggestions)}`,
    '',
  ].join('\n');
}

/** `a` takes the first suggestion, `a 2` the second: what each would let pass from now on, or in this session. */
function lastingChoices(suggestions: readonly PermissionUpdate[]): string {
  return suggestions
    .map((update, index) => {
      const word = index === 0 ? 'a' : `a ${index + 1}`;
      const when = update.destination === 'session' ? 'in this session' : 'always';
      return ` · ${word} ${when} (${describeUpdate(update)})`;
    })
    .join('');
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
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return reason === '' ? { behavior: 'allow' } : undefined; // a sentence that begins so is no leave
    case 'n':
    case 'no':
      return reason === '' ? { behavior: 'deny' } : { behavior: 'deny', message: reason };
    case 'a':
    case 'always': {
      const suggestion = suggestions[reason === '' ? 0 : Number(reason) - 1];
      return suggestion === undefined
        ? undefined
        : { behavior: 'allow', updatedPermissions: [suggestion] };
    }
    default:
      return undefined;
  }
}

function describeUpdate(update: PermissionUpdate): string {
  if ('rules' in update) return printable(update.rules.map(formatRule).join(', '));
  if ('directories' in update) return printable(update.directories.join(', '));
  return `mode ${update.mode}`;
}
