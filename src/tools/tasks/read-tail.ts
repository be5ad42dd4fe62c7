import type { TaskId } from '../../core/ids.js';
import type { TaskCapabilities } from '../task-capabilities.js';

/** The end of what a task has written so far, at most `maxChars`, and how many characters stand before it. */
export async function readTail(
  tasks: TaskCapabilities,
  id: TaskId,
  { maxChars, signal }: { readonly maxChars: number; readonly signal: AbortSignal },
): Promise<{ readonly text: string; readonly omittedChars: number }> {
  let tail = '';
  let omittedChars = 0;
  for (let from = 0; ;) {
    signal.throwIfAborted();
    const { text, next } = await tasks.readOutput(id, from);
    tail += text;
    const excess = excessOf(tail, maxChars);
    tail = tail.slice(excess);
    omittedChars += excess;
    if (next <= from) return { text: tail, omittedChars };
    from = next;
  }
}

/** How much to cut off in front, never half a character. */
function excessOf(text: string, maxChars: number): number {
  const excess = Math.max(0, text.length - maxChars);
  const isHalf = excess > 0 && /^[\uDC00-\uDFFF]/.test(text.slice(excess, excess + 1));
  return isHalf ? excess + 1 : excess;
}
