import type { CompactionTrigger } from '../../core/agents/compaction.js';
import type {
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskNotification,
  TeammateIdle,
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
  /** Messages that already wait. */
  readonly inbox: number;
  /** The agent stays for more input when it has nothing to do, until `inbox.closed`. */
  readonly staysOpen: boolean;
  readonly maxTurns: number | undefined;
  /** Number of requests before this process, if the agent is resumed. */
  readonly turn?: number;
  /** The agent makes its next request without waiting for a message: it is resumed in the middle of a turn. */
  readonly resumesTurn?: boolean;
  /** How the request continues the reply before it, how many consecutive replies were cut off, and their text. */
  readonly continues?: Continuation | undefined;
  readonly cuts?: number;
  readonly text?: string;
  /** False: a request that is too long fails, and the conversation is compacted only on request. */
  readonly autoCompact?: boolean;
  /** The agent runs a stop check before it is idle. */
  readonly concludes?: boolean;
  /** The agent tells its task when it is idle and before it continues: meanwhile no task waits for it. */
  readonly tellsIdle?: boolean;
};

/** The only call of the turn stays open: the agent ends with this outcome, and a resumed one continues the call. */
export type TurnDeferred = { readonly type: 'turn.deferred'; readonly outcome: WorkOutcome };

export type AgentEvent =
  | { type: 'inbox.arrived'; isPrompt: boolean }
  | { type: 'inbox.closed' }
  /** @param isShort the window is too short for one more request */
  | {
      type: 'prepared';
      drained: number;
      hasContent: boolean;
      isShort?: boolean;
      /** The outcome of a turn without a request: a hook blocked its prompt. */
      outcome?: WorkOutcome | undefined;
    }
  /** Compact the conversation: at once if the agent is idle, otherwise before its next request. */
  | { type: 'agent.compact' }
  | { type: 'compaction.done'; text: string }
  | { type: 'compaction.failed'; failure: Failure }
  | { type: 'tool.use'; call: Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'> }
  | { type: 'sample.retrying'; retry: Retry }
  | { type: 'sample.done'; text: string; continues?: Continuation | undefined }
  | { type: 'sample.failed'; failure: Failure }
  /** The turn outcome; undefined if the agent continues with a message. */
  | { type: 'concluded'; turn: number; turnOutcome: WorkOutcome | undefined }
  | { type: 'agent.interrupt' }
  /** Interrupts the turn and ends: the agent makes no request any more, whatever comes. */
  | { type: 'agent.quit' }
  /** An effect crashed, so that nothing is reliable any more (a full disk under the journal, for example). */
  | { type: 'effect.failed'; failure: Failure }
  | TurnDeferred
  | Extract<ToolCallMessage, { type: 'call.settled' }>
  | ChildrenChanged
  | TaskNotification
  | TeammateIdle
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel
  | WorkStop
  | WorkForce;

/** A running effect. It may outlive the state that started it: an agent that stops waits for its end. */
export type AgentEffect = {
  readonly kind: 'preparing' | 'sampling' | 'compacting';
  /** Set during the retry delay of a model request. */
  readonly retry?: Retry;
};

/** At most 16 keys: xstate copies a context at each change, and a larger object is slow to copy and to read. */
export type AgentContext = {
  readonly input: AgentInput;
  /** Messages that wait. */
  readonly inbox: number;
  readonly staysOpen: boolean;
  readonly resumesTurn: boolean;
  /** Number of requests in its whole life, which is the number of the current turn. */
  readonly turn: number;
  /** Number of requests since the agent was last idle, which `maxTurns` limits. */
  readonly turns: number;
  readonly effect: AgentEffect | undefined;
  /** The tool calls of the current turn. */
  readonly batch: Batch;
  readonly reply: Reply;
  readonly compaction: Compaction;
  /** Number of live children that keep the agent from ending. */
  readonly holding: number;
  readonly openRequests: OpenRequests;
  /** Why the agent stops. */
  readonly stopping: 'killed' | 'interrupted' | 'quitting' | 'failed' | undefined;
  /** The outcome of the newest turn. */
  readonly turnOutcome: WorkOutcome | undefined;
  /** The stop check passed for the newest reply. */
  readonly isConcluded: boolean;
};

export type Batch = {
  /** In the order of the model's request. */
  readonly calls: readonly ScheduledCall[];
  /** A shell call failed: the others do not run. */
  readonly isShellBroken: boolean;
  /** A call ended the turn: there is no further request in it. */
  readonly endsTurn: TurnEnd | undefined;
  /** The outcome of an agent that ends with its call open. */
  readonly deferral?: WorkOutcome | undefined;
};

export type Reply = {
  /** Text of the newest reply, and of the replies that it continues. */
  readonly text: string;
  /** The newest reply is not complete. */
  readonly continues: Continuation | undefined;
  /** Number of consecutive replies that were cut off. */
  readonly cuts: number;
};

export type Compaction = {
  /** Why the conversation is compacted before the next request; undefined if it is not. */
  readonly next: CompactionTrigger | undefined;
  /** A compaction was tried since the newest reply: a second one would not make the request shorter. */
  readonly isTried: boolean;
  /** The prepared message waits for a reply. */
  readonly hasContent: boolean;
};

export const NO_CALLS: Batch = { calls: [], isShellBroken: false, endsTurn: undefined };

/** The context of an agent that has not started yet. */
export function initialAgentContext(input: AgentInput): AgentContext {
  const { inbox, staysOpen, resumesTurn = false, turn = 0, text = '', continues, cuts = 0 } = input;
  return {
    input,
    inbox,
    staysOpen,
    resumesTurn,
    turn,
    turns: 0,
    effect: undefined,
    batch: NO_CALLS,
    reply: { text, continues, cuts },
    compaction: { next: undefined, isTried: false, hasContent: false },
    holding: 0,
    openRequests: {},
    stopping: undefined,
    turnOutcome: undefined,
    isConcluded: false,
  };
}
