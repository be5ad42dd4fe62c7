import type { CompactionTrigger } from '../../core/agents/compaction.js';
import type {
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskNotification,
  TeammateRested,
  WorkForce,
  WorkStop,
} from '../../core/events.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { Continuation } from '../../core/messages.js';
import type { Retry } from '../../core/time/retry.js';
import type { WorkOutcome } from '../../core/task-types.js';
import type { OpenRequests } from '../approval/relay.js';
import type { ToolCallMessage, TurnEnd } from './tool-call.js';
import type { ScheduledCall } from './tool-schedule.js';

export type AgentInput = {
  readonly agentId: AgentId;
  readonly taskId: TaskId;
  /** Envelopes that already wait. */
  readonly inbox: number;
  /** Stays for more input when it has nothing to do, until `inbox.closed`. */
  readonly staysOpen: boolean;
  readonly maxTurns: number | undefined;
  /** Requests that it has made before: it goes on after an earlier process. */
  readonly turn?: number;
  /** It makes its next request without waiting for mail: a turn was under way. */
  readonly goesOn?: boolean;
  /** How the reply before that request is gone on with, how many in a row were cut off, and what they have said. */
  readonly continues?: Continuation | undefined;
  readonly cuts?: number;
  readonly text?: string;
  /** False: a request that is too long fails, and nothing is compacted but on request. */
  readonly autoCompact?: boolean;
  /** Before it rests it is looked at whether it may. */
  readonly concludes?: boolean;
  /** Its task is told when it rests, and before it goes on: meanwhile nobody waits for it. */
  readonly tellsRest?: boolean;
};

export type AgentEvent =
  | { type: 'inbox.arrived'; isPrompt: boolean }
  | { type: 'inbox.closed' }
  /** @param isShort the window is too short for one more request */
  | { type: 'prepared'; drained: number; hasContent: boolean; isShort?: boolean }
  /** The conversation is to be compacted: at once where the agent is idle, or before its next request. */
  | { type: 'agent.compact' }
  | { type: 'compaction.done'; text: string }
  | { type: 'compaction.failed'; failure: Failure }
  | { type: 'tool.use'; call: Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'> }
  | { type: 'sample.retrying'; retry: Retry }
  | { type: 'sample.done'; text: string; continues?: Continuation | undefined }
  | { type: 'sample.failed'; failure: Failure }
  /** How it rests; nothing where it goes on with mail that it was sent. */
  | { type: 'concluded'; turn: number; rest: WorkOutcome | undefined }
  | { type: 'agent.interrupt' }
  /** An effect crashed: nothing can be relied on any more (a full disk under the journal, say). */
  | { type: 'effect.failed'; failure: Failure }
  | Extract<ToolCallMessage, { type: 'call.settled' }>
  | ChildrenChanged
  | TaskNotification
  | TeammateRested
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel
  | WorkStop
  | WorkForce;

/** An effect that is under way. It may outlive the state that began it: an agent that is stopped waits for its end. */
export type AgentEffect = {
  readonly kind: 'preparing' | 'sampling' | 'compacting';
  /** The next try of its model request waits. */
  readonly retry?: Retry;
};

/** At most 16 keys: xstate copies a context at each change, and a larger object is slow to copy and to read. */
export type AgentContext = {
  readonly input: AgentInput;
  /** Envelopes that wait. */
  readonly inbox: number;
  readonly staysOpen: boolean;
  readonly goesOn: boolean;
  /** Requests in its whole life: the number of the current turn. */
  readonly turn: number;
  /** Requests since it was last idle: what `maxTurns` limits. */
  readonly turns: number;
  readonly effect: AgentEffect | undefined;
  /** The tool uses of the current turn. */
  readonly batch: Batch;
  readonly reply: Reply;
  readonly compaction: Compaction;
  /** Live children that keep it from being done. */
  readonly holding: number;
  readonly asks: OpenRequests;
  /** Why it is stopped. */
  readonly stopping: 'killed' | 'interrupted' | 'failed' | undefined;
  /** How the newest turn ended. */
  readonly rest: WorkOutcome | undefined;
  /** The stop check passed for the newest reply. */
  readonly isConcluded: boolean;
};

export type Batch = {
  /** In the order of the model's request. */
  readonly calls: readonly ScheduledCall[];
  /** A shell call failed: the others do not run. */
  readonly isShellBroken: boolean;
  /** A call was the turn's last: no further request in it. */
  readonly endsTurn: TurnEnd | undefined;
};

export type Reply = {
  /** Text of the newest reply, and of those that it continues. */
  readonly text: string;
  /** The newest reply is not at its end. */
  readonly continues: Continuation | undefined;
  /** How many replies in a row were cut off. */
  readonly cuts: number;
};

export type Compaction = {
  /** Why the conversation is compacted before the next request; undefined if it is not. */
  readonly next: CompactionTrigger | undefined;
  /** Tried since the newest reply: another one would not make a request shorter that is still too long. */
  readonly isTried: boolean;
  /** What was prepared waits for a reply. */
  readonly hasContent: boolean;
};

export const NO_CALLS: Batch = { calls: [], isShellBroken: false, endsTurn: undefined };

/** An agent that has not done anything yet. */
export function initialAgentContext(input: AgentInput): AgentContext {
  const { inbox, staysOpen, goesOn = false, turn = 0, text = '', continues, cuts = 0 } = input;
  return {
    input,
    inbox,
    staysOpen,
    goesOn,
    turn,
    turns: 0,
    effect: undefined,
    batch: NO_CALLS,
    reply: { text, continues, cuts },
    compaction: { next: undefined, isTried: false, hasContent: false },
    holding: 0,
    asks: {},
    stopping: undefined,
    rest: undefined,
    isConcluded: false,
  };
}
