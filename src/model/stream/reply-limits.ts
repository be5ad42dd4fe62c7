/** Beside what its tokens are: a reply holds signatures and results of the endpoint's own tools. */
const LEAST_MOST_CHARS = 4 * 1024 * 1024;
/** Real tokens have about four. */
const MOST_CHARS_PER_TOKEN = 64;
/** A piece of one character makes an event of about 130. */
const MOST_GROWTH_IN_EVENTS = 8;

/** The most characters that a reply may have. @param maxTokens of its request */
export function mostReplyChars(maxTokens: number): number {
  return LEAST_MOST_CHARS + maxTokens * MOST_CHARS_PER_TOKEN;
}

/** The most characters that the stream of events of such a reply may have, decompressed. */
export function mostStreamChars(maxTokens: number): number {
  return MOST_GROWTH_IN_EVENTS * mostReplyChars(maxTokens);
}
