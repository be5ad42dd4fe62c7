/** How much fits, and how much of it is taken. All in tokens. */
export type WindowUse = {
  /** Of the newest request and its reply; 0 where nothing is known. */
  readonly tokens: number;
  /** The model's whole window. */
  readonly contextWindow: number;
  /** Most output of one request. */
  readonly maxTokens: number;
  /** What it was right after the newest compaction, or when one failed; 0 where there was none. */
  readonly floor: number;
};

const MOST_RESERVED = 0.2;
const MOST_TAKEN = 0.9;
/** A conversation that a compaction could not make smaller is left alone until it has grown by so much. */
const GROWTH = 0.05;

/**
 * From where on a conversation is compacted: the window less the longest reply, though never below 80 % of the window, and
 * 90 % at most.
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
