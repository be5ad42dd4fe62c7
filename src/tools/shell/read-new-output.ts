import type { TaskId } from '../../core/ids.js';
import type { TaskCapabilities } from '../task-capabilities.js';

/** Of what one call reads through when it looks for whole lines. */
const MOST_BYTES = 4 * 1024 * 1024;

export type NewOutput = {
  readonly text: string;
  /** The byte after it. */
  readonly next: number;
  /** More stands there already. */
  readonly isMore: boolean;
};

/** What the task has written from byte `from` on, at most `maxBytes`. */
export async function readNewOutput(
  tasks: TaskCapabilities,
  id: TaskId,
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
): Promise<NewOutput> {
  const { text, next } = await tasks.readOutput(id, from, maxBytes);
  const after = await tasks.readOutput(id, next, 4);
  return { text, next, isMore: after.next > next };
}

/** The whole lines that the task has written from byte `from` on; of a task that has ended also the one without an end. */
export async function readNewLines(
  tasks: TaskCapabilities,
  id: TaskId,
  { from, isOver, signal }: { from: number; isOver: boolean; signal: AbortSignal },
): Promise<NewOutput> {
  let text = '';
  let next = from;
  for (;;) {
    signal.throwIfAborted();
    const chunk = await tasks.readOutput(id, next);
    if (chunk.next === next) break;
    text += chunk.text;
    next = chunk.next;
    if (next - from >= MOST_BYTES) return { text, next, isMore: true };
  }
  const begun = text.slice(text.lastIndexOf('\n') + 1);
  // bytes that are no text have become another character: how many they were is not known any more
  if (isOver || begun.includes('\uFFFD')) return { text, next, isMore: false };
  const whole = text.slice(0, text.length - begun.length);
  return { text: whole, next: next - Buffer.byteLength(begun), isMore: false };
}
