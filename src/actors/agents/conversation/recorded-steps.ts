import type { AgentEntry } from '../../../journal/entries/agent-entries.js';

/** The steps of an earlier run, as the journal has them: each result is given out once. */
export interface RecordedSteps {
  /** Whether a result of the step is left. */
  isDone(key: string): boolean;
  /** Whether the step had begun, and nobody knows how it ended. */
  isBegun(key: string): boolean;
  /** Take the next result of a step that is done. */
  recall(key: string): unknown;
  /** The step has an outcome now. @returns whether it had begun without one */
  settleBegun(key: string): boolean;
  /** All results were given out: what follows is new. */
  readonly isOver: boolean;
}

export function createRecordedSteps(entries: readonly AgentEntry[]): RecordedSteps {
  /** By key; a step that was interrupted may have more than one result. */
  const done = new Map<string, unknown[]>();
  const begun = new Set<string>();
  let left = 0;
  for (const entry of entries) {
    if (entry.type === 'step.begun') begun.add(entry.key);
    if (entry.type !== 'step.done') continue;
    left += 1;
    const results = done.get(entry.key);
    if (results === undefined) done.set(entry.key, [entry.result]);
    else results.push(entry.result);
  }
  return {
    isDone: (key) => done.has(key),
    isBegun: (key) => begun.has(key) && !done.has(key),
    recall(key) {
      left -= 1;
      const results = done.get(key) as unknown[]; // it is done
      const result = results.shift();
      if (results.length === 0) done.delete(key);
      return result;
    },
    settleBegun: (key) => begun.delete(key),
    get isOver() {
      return left === 0;
    },
  };
}
