import type { PermissionAnswer } from '../../core/permission-types.js';
import type { ToolFacts } from '../../permissions/facts.js';

/** What was answered to one use, for the same use again. */
export type RememberedAnswer =
  | { readonly behavior: 'allow' }
  /** What the model was told. */
  | { readonly behavior: 'deny'; readonly message: string };

/** The answers of one agent's turn: the same tool with the same input is not asked for twice before the next prompt. */
export interface ToolDecisions {
  find(facts: ToolFacts): RememberedAnswer | undefined;
  /** An answer that edits the input, or changes rules, is about more than this use: it is not kept. */
  keep(facts: ToolFacts, answer: PermissionAnswer, message: string): void;
  clear(): void;
}

export function createToolDecisions(): ToolDecisions {
  const kept = new Map<string, RememberedAnswer>();
  /** Also where it leads: another target behind the same words is another use. */
  const keyOf = ({ toolName, input, target }: ToolFacts): string =>
    JSON.stringify([toolName, input, target]);
  return {
    find: (facts) => kept.get(keyOf(facts)),
    keep(facts, answer, message) {
      if (answer.behavior === 'deny') {
        kept.set(keyOf(facts), { behavior: 'deny', message });
        return;
      }
      const isPlain = answer.updatedInput === undefined && answer.updatedPermissions === undefined;
      if (isPlain) kept.set(keyOf(facts), { behavior: 'allow' });
    },
    clear: () => kept.clear(),
  };
}
