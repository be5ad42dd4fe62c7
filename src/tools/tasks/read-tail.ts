import type { TaskId } from '../../core/ids.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/** Larger pieces are freed late, and an output may have many. */
const PIECE_BYTES = 64 * 1024;

/** The end of a task's output so far, at most `maxChars`, and the number of characters before it. */
export async function readTail(
  tasks: TaskCapabilities,
  id: TaskId,
  { maxChars, signal }: { readonly maxChars: number; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly omittedChars: number }> {
  let tail = '';
  let omittedChars = 0;
  for (let from = 0; ;) {
    signal.throwIfAborted();
    const { text, next } = await tasks.readOutput(id, from, PIECE_BYTES);
    tail += text;
    const excess = excessOf(tail, maxChars);
    tail = tail.slice(excess);
    omittedChars += excess;
    if (next <= from) return { text: tail, omittedChars };
    from = next;
  }
}

/** Number of characters to cut off at the start, never half a character. */
function excessOf(text: string, maxChars: number): number {
  const excess = Math.max(0, text.length - maxChars);
  const isHalf = excess > 0 && /^[\uDC00-\uDFFF]/.test(text.slice(excess, excess + 1));
  return isHalf ? excess + 1 : excess;
}
