import type { SessionId } from '../../core/ids.js';
import type { TaskKind } from '../../core/task-types.js';
import type { BudgetState } from '../../usage/budget.js';
import type { UsageTotal } from '../../usage/usage-account.js';

/** One live actor: what it is doing, since when, and what it waits for. */
export type InspectedActor = {
  /** ID of the task, agent, tool call or request; unique in the tree. */
  readonly id: string;
  /** What the actor is. */
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
  /** Empty where it waits for nothing. */
  readonly waitingFor: readonly string[];
  /** Process that works for it. */
  readonly pid?: number;
  /** Of a session. */
  readonly sessionId?: SessionId;
  /** Of a task, with all that was ever below it; of an agent, its own. */
  readonly usage?: UsageTotal;
  /** Of its own, where it has one. */
  readonly budget?: BudgetState;
  /** Actors that it has started and that live. */
  readonly children: readonly InspectedActor[];
};
