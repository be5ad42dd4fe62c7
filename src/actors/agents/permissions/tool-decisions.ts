import type { PermissionAnswer, PermissionDecisionReason } from '../../../core/decision-types.js';
import { toJsonText } from '../../../core/json/plain-json.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import { isOpenToLeave } from '../../../permissions/proposal.js';

/** What was answered to one use, for the same use again. */
export type RememberedAnswer =
  | { readonly behavior: 'allow' }
  /** What the model was told. */
  | { readonly behavior: 'deny'; readonly message: string };

/** The answers of one agent's turn: the same tool with the same input is not asked for twice before the next prompt. */
export interface ToolDecisions {
  /**
   * What was answered to the same use before. An approval does not hold if a rule or a check asks each time.
   *
   * @param why the rules ask now
   */
  recall(facts: ToolFacts, why: PermissionDecisionReason | undefined): RememberedAnswer | undefined;
  /** An answer that edits the input, or changes rules, is about more than this use: it is not kept. */
  keep(facts: ToolFacts, answer: PermissionAnswer, message: string): void;
  /** Settles when the same use, which is asked for now, is decided, or on abort; nothing where none is. */
  underWay(facts: ToolFacts, signal: AbortSignal): Promise<void> | undefined;
  /** It is asked for from now on. @returns what says that this is over, however it ended */
  open(facts: ToolFacts): () => void;
  clear(): void;
}

export function createToolDecisions(): ToolDecisions {
  const kept = new Map<string, RememberedAnswer>();
  const asked = new Map<string, Promise<void>>();
  /** Also where it leads: another target behind the same words is another use. */
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
