import type { TaskId } from '../../core/ids.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/** One call reads about this much in search of whole lines: a filter copies its text several times. */
const MOST_BYTES = 1024 * 1024;

export type NewOutput = {
  readonly text: string;
  /** The byte after the text. */
  readonly next: number;
  /** There is more output already. */
  readonly isMore: boolean;
};

/** Read the output of the task from byte `from` on, at most `maxBytes`. */
export async function readNewOutput(
  tasks: TaskCapabilities,
  id: TaskId,
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
): Promise<NewOutput> {
  const { text, next } = await tasks.readOutput(id, from, maxBytes);
  const after = await tasks.readOutput(id, next, 4);
  return { text, next, isMore: after.next > next };
}

/**
 * Read the whole lines of the output from byte `from` on; for an ended task also an incomplete last line, and of a line
 * that does not end the part that was read.
 */
export async function readNewLines(
  tasks: TaskCapabilities,
  id: TaskId,
  { from, isOver, signal }: { from: number; isOver: boolean; signal: AbortSignal },
): Promise<NewOutput> {
  let text = '';
  let next = from;
  let isMore = false;
  while (!isMore) {
    signal.throwIfAborted();
    const chunk = await tasks.readOutput(id, next);
    if (chunk.next === next) break;
    text += chunk.text;
    next = chunk.next;
    isMore = next - from >= MOST_BYTES;
  }
  const begun = text.slice(text.lastIndexOf('\n') + 1);
  const isLast = isMore ? begun === text : isOver;
  // Invalid bytes were decoded to another character, so their number is not known any more.
  if (isLast || begun.includes('\uFFFD')) return { text, next, isMore };
  const whole = text.slice(0, text.length - begun.length);
  return { text: whole, next: next - Buffer.byteLength(begun), isMore };
}
