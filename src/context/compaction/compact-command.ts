import type { UserBlock } from '../../core/messages.js';

/** A prompt that asks for a compaction, with what the summary should heed. */
export type CompactCommand = { readonly instructions: string | undefined };

/** Reads `/compact` and `/compact INSTRUCTIONS`; undefined for any other prompt. */
export function parseCompactCommand(
  prompt: string | readonly UserBlock[],
): CompactCommand | undefined {
  const [first, ...others] = typeof prompt === 'string' ? [prompt] : prompt;
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : '';
  const match = others.length > 0 ? null : /^\s*\/compact(?:\s+(\S[\s\S]*?))?\s*$/.exec(text);
  return match === null ? undefined : { instructions: match[1] };
}
