import type { ResultMessage, SessionMessage } from '../../actors/session-message.js';
import type { OutputFormat } from '../arguments/flags.js';
import type { OutputWriter } from '../output-writer.js';
import { createProgressLines } from './progress-lines.js';

/**
 * Prints a session: the answer on stdout in the wanted format, all else on stderr. Waits where a reader is slow.
 *
 * @returns the last result, if there was one
 */
export async function printMessages(
  messages: AsyncIterable<SessionMessage>,
  {
    format,
    out,
    warn,
    tell,
  }: {
    format: OutputFormat;
    out: OutputWriter;
    /** A line for stderr that is always told. */
    warn: (line: string) => void;
    /** A line of progress; absent where nobody wants to know. */
    tell: ((line: string) => void) | undefined;
  },
): Promise<ResultMessage | undefined> {
  const toLines = createProgressLines();
  let result: (ResultMessage & SessionMessage) | undefined;
  for await (const message of messages) {
    if (format === 'stream-json') await out.write(`${JSON.stringify(message)}\n`);
    else if (tell !== undefined) for (const line of toLines(message)) tell(line);
    if (message.type === 'result') result = message;
  }
  if (format === 'json' && result !== undefined) await out.write(`${JSON.stringify(result)}\n`);
  if (format === 'text' && result !== undefined) {
    if (result.result !== undefined) await out.write(`${result.result}\n`);
    for (const error of result.errors ?? []) warn(error);
  }
  return result;
}
