import type { AgentEntry } from '../../../journal/entries/agent-entries.js';
import { isHookKey } from '../../../journal/entries/step-key.js';

/** The steps of an earlier run in the journal. Each result is returned once. */
export interface RecordedSteps {
  /** Whether a result of the step is left. */
  isDone(key: string): boolean;
  /** Whether the step had begun, with an unknown outcome. */
  isBegun(key: string): boolean;
  /** Take the next result of a step that is done. */
  recall(key: string): unknown;
  /** Record an outcome of the step. @returns whether the step had begun without one */
  settleBegun(key: string): boolean;
  /** All results of turns were returned: further steps are new. */
  isOver(): boolean;
}

export function createRecordedSteps(entries: readonly AgentEntry[]): RecordedSteps {
  /** The results by key; an interrupted step may have several. */
  const done = new Map<string, unknown[]>();
  const begun = new Set<string>();
  let left = 0;
  for (const entry of entries) {
    if (entry.type === 'step.begun') begun.add(entry.key);
    if (entry.type !== 'step.done') continue;
    if (!isHookKey(entry.key)) left += 1;
    const results = done.get(entry.key);
    if (results === undefined) done.set(entry.key, [entry.result]);
    else results.push(entry.result);
  }
  return {
    isDone: (key) => done.has(key),
    isBegun: (key) => begun.has(key) && !done.has(key),
    recall(key) {
      if (!isHookKey(key)) left -= 1;
      const results = done.get(key) as unknown[]; // isDone has checked it
      const result = results.shift();
      if (results.length === 0) done.delete(key);
      return result;
    },
    settleBegun: (key) => begun.delete(key),
    isOver: () => left === 0,
  };
}
