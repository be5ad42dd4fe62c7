import type { PermissionAnswer, PermissionDecisionReason } from '../../../core/decision-types.js';
import { toJsonText } from '../../../core/json/plain-json.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import { isOpenToLeave } from '../../../permissions/proposal.js';

/** The decision on one tool call, for identical calls. */
export type RememberedAnswer =
  | { readonly behavior: 'allow' }
  /** The message for the model. */
  | { readonly behavior: 'deny'; readonly message: string };

/**
 * The decisions of one agent's turn: the same tool with the same input is not requested twice before the next prompt.
 */
export interface ToolDecisions {
  /**
   * Return the decision on an identical call. An approval does not count if a rule or a check asks each time.
   *
   * @param why the reason of the rules for asking now
   */
  recall(facts: ToolFacts, why: PermissionDecisionReason | undefined): RememberedAnswer | undefined;
  /** Remember a decision, unless it edits the input or changes rules: then it is about more than this call. */
  keep(facts: ToolFacts, answer: PermissionAnswer, message: string): void;
  /** Resolve when the open request for an identical call is decided, or on abort; undefined without an open request. */
  underWay(facts: ToolFacts, signal: AbortSignal): Promise<void> | undefined;
  /** Mark the call as requested. @returns a function to call when its request is over, however it ended */
  open(facts: ToolFacts): () => void;
  clear(): void;
}

export function createToolDecisions(): ToolDecisions {
  const kept = new Map<string, RememberedAnswer>();
  const asked = new Map<string, Promise<void>>();
  /** The key includes link targets: another target behind the same words is another call. */
  const keyOf = ({ toolName, input, target }: ToolFacts): string =>
    toJsonText([toolName, input, target]);
  return {
    recall(facts, why) {
      const answer = kept.get(keyOf(facts));
      return answer?.behavior === 'allow' && !isOpenToLeave(why, facts) ? undefined : answer;
    },
    keep(facts, answer, message) {
      if (answer.behavior === 'deny') {
        kept.set(keyOf(facts), { behavior: 'deny', message });
        return;
      }
      const isPlain = answer.updatedInput === undefined && answer.updatedPermissions === undefined;
      if (isPlain) kept.set(keyOf(facts), { behavior: 'allow' });
    },
    underWay(facts, signal) {
      const decided = asked.get(keyOf(facts));
      if (decided === undefined || signal.aborted) return undefined;
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return Promise.race([decided, aborted]);
    },
    open(facts) {
      const key = keyOf(facts);
      let close: () => void = () => {};
      const decided = new Promise<void>((resolve) => {
        close = resolve;
      });
      asked.set(key, decided);
      return () => {
        if (asked.get(key) === decided) asked.delete(key);
        close();
      };
    },
    clear: () => kept.clear(),
  };
}
