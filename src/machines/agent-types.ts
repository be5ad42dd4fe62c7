import type { DoneActorEvent } from 'xstate';
import type { CompactionTrigger } from '../core/compaction.js';
import type {
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskNotification,
  TeammateRested,
  WorkForce,
  WorkStop,
} from '../core/events.js';
import type { Failure } from '../core/failure.js';
import type { AgentId, TaskId } from '../core/ids.js';
import type { Continuation } from '../core/messages.js';
import type { Retry } from '../core/retry.js';
import type { WorkOutcome } from '../core/task-types.js';
import type { OpenRequests } from './relay.js';
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
  | DoneActorEvent
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

export type AgentContext = AgentInput & {
  /** Requests in its whole life: the number of the current turn. */
  readonly turn: number;
  readonly goesOn: boolean;
  /** Requests since it last rested: what `maxTurns` limits. */
  readonly turns: number;
  /** Tool uses of the current turn, in the order of the model's request. */
  readonly calls: readonly ScheduledCall[];
  /** The next user message is being made: its `prepared` is waited for, whatever happens. */
  readonly isPreparing: boolean;
  readonly isSampling: boolean;
  readonly isCompacting: boolean;
  /** Why the conversation is compacted before the next request; undefined where it is not. */
  readonly compactsNext: CompactionTrigger | undefined;
  /** It was tried since the newest reply: a request that is still too long is not mended by doing it again. */
  readonly isCompacted: boolean;
  /** What was prepared waits for a reply. */
  readonly hasContent: boolean;
  readonly retry: Retry | undefined;
  /** Live children that keep it from being done. */
  readonly holding: number;
  readonly asks: OpenRequests;
  /** A shell call of this turn failed: the others do not run. */
  readonly isShellBroken: boolean;
  /** A call of this turn was its last: no further request in it. */
  readonly endsTurn: TurnEnd | undefined;
  readonly stopping: 'killed' | 'interrupted' | 'failed' | undefined;
  /** Its task was told that it rests. */
  readonly isResting: boolean;
  /** How the newest turn ended. */
  readonly rest: WorkOutcome | undefined;
  /** That it may rest was looked at since its newest reply. */
  readonly isConcluded: boolean;
  /** The newest reply is not at its end. */
  readonly continues: Continuation | undefined;
  /** How many replies in a row were cut off. */
  readonly cuts: number;
  /** Text of the newest reply, and of those that it goes on with. */
  readonly text: string;
};

/** An agent that has not done anything yet. */
export function initialAgentContext(input: AgentInput): AgentContext {
  return {
    ...input,
    turn: input.turn ?? 0,
    goesOn: input.goesOn ?? false,
    turns: 0,
    calls: [],
    isPreparing: false,
    isSampling: false,
    isCompacting: false,
    compactsNext: undefined,
    isCompacted: false,
    hasContent: false,
    retry: undefined,
    holding: 0,
    asks: {},
    isShellBroken: false,
    endsTurn: undefined,
    stopping: undefined,
    isResting: false,
    rest: undefined,
    isConcluded: false,
    continues: input.continues,
    cuts: input.cuts ?? 0,
    text: input.text ?? '',
  };
}
