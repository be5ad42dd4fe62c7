/** Size and use of the window, in tokens. */
export type WindowUse = {
  /** Tokens of the newest request and its reply; 0 if they are not known. */
  readonly tokens: number;
  /** The model's whole window. */
  readonly contextWindow: number;
  /** Most output of one request. */
  readonly maxTokens: number;
  /** Tokens right after the newest compaction, or when one failed; 0 if there was none. */
  readonly floor: number;
};

const MOST_RESERVED = 0.2;
const MOST_TAKEN = 0.9;
/** A conversation that could not be compacted further is left alone until it has grown by this share. */
const GROWTH = 0.05;

/**
 * The size at which a conversation is compacted: the window less the longest reply, but at least 80 % and at most 90 %
 * of the window.
 */
export function compactionThreshold({
  contextWindow,
  maxTokens,
}: Pick<WindowUse, 'contextWindow' | 'maxTokens'>): number {
  const reserve = Math.min(maxTokens, contextWindow * MOST_RESERVED);
  return Math.floor(Math.min(contextWindow * MOST_TAKEN, contextWindow - reserve));
}

/** Whether the next request would leave too little room. */
export function isWindowShort(use: WindowUse): boolean {
  const { tokens, floor, contextWindow } = use;
  if (tokens < compactionThreshold(use)) return false;
  return floor === 0 || tokens >= floor + contextWindow * GROWTH;
}
