import { totalTokens, type Usage } from '../../../core/tasks/usage.js';

/** The tokens of a conversation in the context window, as the newest reply reported them. */
export interface TokenCount {
  /** Tokens of the newest request and its reply; 0 without a report since the newest compaction. */
  newest(): number;
  /** The value of `newest` right after the newest compaction, or when one failed; 0 without a compaction. */
  floor(): number;
  /** @param usage usage of the request, if it is known */
  replied(usage: Usage | undefined): void;
  /** @param chars number of characters that left the conversation */
  freed(chars: number): void;
  compacted(): void;
  compactionFailed(): void;
}

const CHARS_PER_TOKEN = 4;

export function createTokenCount(): TokenCount {
  let newest = 0;
  let floor = 0;
  let isCompacted = false;
  return {
    newest: () => newest,
    floor: () => floor,
    replied(usage) {
      newest = (usage === undefined ? 0 : totalTokens(usage)) || newest;
      if (isCompacted) floor = newest;
      isCompacted = isCompacted && newest === 0;
    },
    freed(chars) {
      newest = Math.max(0, newest - Math.floor(chars / CHARS_PER_TOKEN));
    },
    compacted() {
      newest = 0;
      isCompacted = true;
    },
    compactionFailed() {
      floor = newest;
    },
  };
}
