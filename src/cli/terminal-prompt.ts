import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { AskHandler } from '../actors/public-types.js';
import type { PermissionRequest } from '../core/events.js';
import type { PermissionAnswer, PermissionUpdate } from '../core/permission-types.js';
import { formatRule } from '../permissions/rule.js';
import { agentLabel, inputSubject, printable } from './printable.js';

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
  output.write(`\n${questionText(request)}`);
  // Lines as the terminal makes them: an interrupt stays a signal.
  const lines = createInterface({ input, output, terminal: false });
  const closed = new Promise<'closed'>((resolve) => lines.once('close', () => resolve('closed')));
  try {
    for (;;) {
      const said = await Promise.race([lines.question('> ', { signal }), closed]);
      if (said === 'closed')
        return { behavior: 'deny', message: 'The terminal was closed: nobody can be asked.' };
      const answer = parseReply(said, request.suggestions);
      if (answer !== undefined) return answer;
      output.write(`  y, n${request.suggestions.length > 0 ? ' or a' : ''}, then Enter.\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    output.write('\n  Withdrawn: no answer is needed any more.\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** What the person is shown: who asks, and the exact command or path. */
export function questionText(request: PermissionRequest): string {
  const { agentId, toolName, input, message, suggestions } = request;
  const subject = printable(inputSubject(input)).replaceAll('\n', '\n    ');
  const [suggestion] = suggestions;
  const always = suggestion === undefined ? '' : ` · a always (${describeUpdate(suggestion)})`;
  return [
    `${agentLabel(agentId)} asks to use ${toolName}:`,
    `    ${subject}`,
    `  ${printable(message)}`,
    `  y allow once · n refuse (n REASON tells it why)${always}`,
    '',
  ].join('\n');
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
