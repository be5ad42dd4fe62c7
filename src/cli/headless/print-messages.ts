import type { ResultMessage, SessionMessage } from '../../api/types.js';
import type { OutputFormat } from '../arguments/flag-table.js';
import type { OutputWriter } from '../output/output-writer.js';
import { createMarkdownPrinter } from './markdown-printer.js';
import { createProgressLines } from '../summaries/progress-lines.js';

/**
 * Print a session: the answer on stdout in the wanted format, everything else on stderr. Wait for a slow reader.
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
    onResult,
  }: {
    format: OutputFormat;
    out: OutputWriter;
    /** Print a line on stderr. */
    warn: (line: string) => void;
    /** Print a line of progress; absent if progress is not wanted. */
    tell: ((line: string) => void) | undefined;
    /** Called after each printed result: there may be further prompts. */
    onResult?: (result: ResultMessage) => void;
  },
): Promise<ResultMessage | undefined> {
  const toLines = createProgressLines();
  const toMarkdown = createMarkdownPrinter();
  let result: (ResultMessage & SessionMessage) | undefined;
  for await (const message of messages) {
    if (format === 'stream-json') await out.data(`${JSON.stringify(message)}\n`);
    else if (format === 'markdown') await out.write(toMarkdown(message));
    else if (tell !== undefined) for (const line of toLines(message)) tell(line);
    if (message.type !== 'result') continue;
    result = message;
    if (format === 'json') await out.data(`${JSON.stringify(result)}\n`);
    if (
      format === 'text' &&
      message.subtype === 'success' &&
      message.deferred_tool_use === undefined
    )
      await out.data(`${message.result}\n`);
    if (format === 'text' && message.subtype !== 'success')
      for (const error of message.errors) warn(error);
    onResult?.(result);
  }
  return result;
}
