import type { UserBlock } from '../../core/messages.js';

/** A prompt for a compaction, with instructions for the summary. */
export type CompactCommand = { readonly instructions: string | undefined };

/** Parse `/compact` and `/compact INSTRUCTIONS`; undefined for any other prompt. */
export function parseCompactCommand(
  prompt: string | readonly UserBlock[],
): CompactCommand | undefined {
  const [first, ...others] = typeof prompt === 'string' ? [prompt] : prompt;
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : '';
  const match = others.length > 0 ? null : /^\s*\/compact(?:\s+(\S[\s\S]*?))?\s*$/.exec(text);
  return match === null ? undefined : { instructions: match[1] };
}
