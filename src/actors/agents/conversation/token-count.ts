import { totalTokens, type Usage } from '../../../core/tasks/usage.js';

/** How much of the context window a conversation takes, as the newest reply has told. */
export interface TokenCount {
  /** Tokens of the newest request and its reply; 0 if no reply has told since the newest compaction. */
  readonly newest: number;
  /** What `newest` was right after the newest compaction, or when one failed; 0 if there was none. */
  readonly floor: number;
  /** @param usage of the request, if it is known */
  replied(usage: Usage | undefined): void;
  compacted(): void;
  compactionFailed(): void;
}

export function createTokenCount(): TokenCount {
  let newest = 0;
  let floor = 0;
  let isCompacted = false;
  return {
    get newest() {
      return newest;
    },
    get floor() {
      return floor;
    },
    replied(usage) {
      newest = (usage === undefined ? 0 : totalTokens(usage)) || newest;
      if (isCompacted) floor = newest;
      isCompacted = isCompacted && newest === 0;
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
