/** In addition to the text of its tokens, a reply contains signatures and results of the endpoint's own tools. */
const LEAST_MOST_CHARS = 4 * 1024 * 1024;
/** Real tokens have about four. */
const MOST_CHARS_PER_TOKEN = 64;
/** A piece of one character makes an event of about 130. */
const MOST_GROWTH_IN_EVENTS = 8;

/** The most characters of a reply. @param maxTokens limit of its request */
export function mostReplyChars(maxTokens: number): number {
  return LEAST_MOST_CHARS + maxTokens * MOST_CHARS_PER_TOKEN;
}

/** The most characters of the event stream of such a reply, decompressed. */
export function mostStreamChars(maxTokens: number): number {
  return MOST_GROWTH_IN_EVENTS * mostReplyChars(maxTokens);
}
