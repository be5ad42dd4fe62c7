import { oneLine } from '../../core/text/printable.js';
import type { ToolProgressData } from '../tool.js';

const MESSAGE_WIDTH = 100;

/** Progress in words: `2 of 5: reading`; undefined if it has no number. */
export function describeProgress({
  progress,
  total,
  message,
}: ToolProgressData): string | undefined {
  if (typeof progress !== 'number') return undefined;
  const done = typeof total === 'number' ? `${progress} of ${total}` : `${progress}`;
  const said = typeof message === 'string' ? oneLine(message, MESSAGE_WIDTH) : '';
  return said === '' ? done : `${done}: ${said}`;
}
