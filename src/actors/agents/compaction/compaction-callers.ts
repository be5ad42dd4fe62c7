import type { CompactionReport } from '../../../core/agents/compaction.js';
import { CompactionFailedError } from './compaction-failed-error.js';

/** The callers that wait for the next compaction, and their instructions for the summary. */
export interface CompactionCallers {
  /** The newest instructions, until the compaction is settled. */
  instructions(): string | undefined;
  /**
   * Wait for the next compaction.
   *
   * @throws CompactionFailedError
   */
  wait(instructions: string | undefined): Promise<CompactionReport>;
  settle(outcome: CompactionReport | CompactionFailedError): void;
}

export function createCompactionCallers(): CompactionCallers {
  let instructions: string | undefined;
  let waiting: ((outcome: CompactionReport | CompactionFailedError) => void)[] = [];
  return {
    instructions: () => instructions,
    wait(wish) {
      instructions = wish ?? instructions;
      return new Promise((resolve, reject) =>
        waiting.push((outcome) =>
          outcome instanceof CompactionFailedError ? reject(outcome) : resolve(outcome),
        ),
      );
    },
    settle(outcome) {
      const callers = waiting;
      waiting = [];
      instructions = undefined;
      for (const tell of callers) tell(outcome);
    },
  };
}
