import type { Message } from '../../core/messages.js';

const CHARS_PER_TOKEN = 4;
/** Estimate for an image of the usual size. */
const IMAGE_CHARS = 6_000;

/** A rule of thumb, for text that no endpoint has counted. */
export function estimateTokens(messages: readonly Message[]): number {
  const chars = messages.reduce((sum, message) => sum + charsOf(message), 0);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

function charsOf({ content }: Message): number {
  return content.reduce(
    (sum, block) => sum + (block.type === 'image' ? IMAGE_CHARS : JSON.stringify(block).length),
    0,
  );
}
