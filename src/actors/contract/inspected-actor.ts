import type { SessionId } from '../../core/ids.js';
import type { TaskKind } from '../../core/task-types.js';
import type { BudgetState } from '../../usage/budget.js';
import type { UsageTotal } from '../../usage/usage-account.js';

/** One live actor: what it is doing, since when, and what it waits for. */
export type InspectedActor = {
  /** ID of the task, agent, tool call or request; unique in the tree. */
  readonly id: string;
  /** Kind of the task, or of another actor. */
  readonly kind:
    | TaskKind
    | 'agent'
    | 'workflow'
    | 'toolCall'
    | 'permissionRequest'
    | 'orchestrator'
    | 'mcpConnection'
    | 'scheduler'
    | 'cronEntry'
    | 'remoteTrigger'
    | 'deadLetter';
  /** Name or description, for people. */
  readonly label: string;
  /** State of its machine, sub-states after a dot. */
  readonly state: string;
  /** Epoch ms. */
  readonly since: number;
  /** Reasons why it waits, in words for people; empty if it waits for nothing. */
  readonly waitingFor: readonly string[];
  /** Progress of a tool call in words, if its tool reports numbers. */
  readonly progress?: string;
  /** Process that works for the actor. */
  readonly pid?: number;
  /** ID for `resume`; only for a session. */
  readonly sessionId?: SessionId;
  /** Tokens and cost: of a task with everything that was ever below it, of an agent alone. */
  readonly usage?: UsageTotal;
  /** Budget of this task; absent if only a budget above limits it. */
  readonly budget?: BudgetState;
  /** Live actors that it has started. */
  readonly children: readonly InspectedActor[];
};
