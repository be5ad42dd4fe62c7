import { z } from 'zod';
import { Failure } from './failure.js';
import { AgentId, RequestId, TaskId } from './ids.js';
import { TASK_TYPES, type TaskKind, type TaskOutcome } from './task-types.js';
import type { PermissionAnswer, PermissionDecisionReason } from './decision-types.js';
import { PermissionUpdate } from './permission-types.js';
import type { RequestingAgent } from './requesting-agent.js';

// Messages between actors are plain, serialisable objects.
/** Times are epoch ms from the sender, because machines have no clock. */
const at = z.number();

export const TaskKindName = z.enum([...TASK_TYPES, 'session']);

export type TaskStart = { readonly type: 'task.start' };
export type TaskKill = {
  readonly type: 'task.kill';
  readonly reason: string;
  /** The task broke its limits: it has failed, and was not killed. */
  readonly failure?: Failure | undefined;
};
/** The deadline of the subtree has passed: all work settles at once. */
export type TaskForce = { readonly type: 'task.force' };
/** Move the task to the background: no tool call waits for it, and its parent gets a notification of its end. */
export type TaskBackground = { readonly type: 'task.background' };
/** The answer to `task.background`, for the parent: always before the end of the task. */
export type TaskBackgrounded = { readonly type: 'task.backgrounded'; readonly id: TaskId };
/** The sweep of a task is done: no process and no child is left. */
export type TaskSwept = { readonly type: 'task.swept' };

/** The input of a new task. `spec` has the data of its kind of work, in that kind's own schema. */
export type TaskInput = {
  readonly id: TaskId;
  readonly kind: TaskKind;
  readonly description: string;
  /** The agent of the task, if it has one. */
  readonly agentId?: AgentId | undefined;
  readonly parentId?: TaskId | undefined;
  readonly toolUseId?: string | undefined;
  /** The session is 0, its workers are 1. */
  readonly depth: number;
  readonly isBackgrounded: boolean;
  /** The task stays pending until a slot is free: its parent does not start it. */
  readonly isQueued?: boolean | undefined;
  readonly spec: unknown;
};

export type TaskSpawn = { readonly type: 'task.spawn'; readonly task: TaskInput };
export type TaskRefused = {
  readonly type: 'task.refused';
  readonly id: TaskId;
  readonly reason: string;
};

const DeferredToolUse = z.object({
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});

const Outcome = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('completed'),
    result: z.unknown(),
    deferredToolUse: DeferredToolUse.exactOptional(),
  }),
  z.object({ status: z.literal('failed'), failure: Failure }),
  z.object({ status: z.literal('killed'), reason: z.string() }),
]);
type Outcome = z.infer<typeof Outcome>;
type WorkEnd = Exclude<Outcome, { readonly status: 'killed' }>;
/** The end of a background task, for the agent that started it: one user block of that agent's next request. */
export type TaskNotification = {
  readonly type: 'task.notification';
  /** ID of the task that ended. */
  readonly id: TaskId;
  /** Kind of the work: an agent, a command, a workflow, a tool. */
  readonly kind: TaskKind;
  /** How the task ended. */
  readonly outcome: TaskOutcome;
};
export const TaskNotification = z.object({
  type: z.literal('task.notification'),
  id: TaskId,
  kind: TaskKindName,
  outcome: Outcome,
}) satisfies z.ZodType<TaskNotification>;
/** An agent that stays tells its task that it is idle. `turnOutcome` is absent if it is not new. */
export type WorkIdle = { readonly type: 'work.idle'; readonly turnOutcome?: WorkEnd | undefined };
/** The agent continues. */
export type WorkWoke = { readonly type: 'work.woke' };
/** A task tells its parent that everything below it is idle, or works again. */
export type ChildIdle = {
  readonly type: 'child.idle';
  readonly id: TaskId;
  /** Local ID of the supervisor, if it forwarded the message. */
  readonly from?: string | undefined;
  readonly isIdle: boolean;
  readonly turnOutcome?: WorkEnd | undefined;
};
/** A teammate is idle: one user block in the next request of its parent. */
export type TeammateIdle = {
  readonly type: 'teammate.idle';
  readonly id: TaskId;
  readonly turnOutcome: WorkEnd;
};
/** A supervised child ended: replaces the done event of a direct child. */
export type ChildEnded = {
  readonly type: 'child.ended';
  readonly id: TaskId;
  /** Local ID of the supervisor. */
  readonly from: string;
  readonly kind: TaskKind;
  readonly isBackgrounded: boolean;
  readonly isIdle?: boolean | undefined;
  readonly outcome: Outcome;
};
/** Number of a task's children that keep its agent from ending: sub-agents do, shells and idle teammates do not. */
export type ChildrenChanged = { readonly type: 'children.changed'; readonly holding: number };

export type WorkStop = { readonly type: 'work.stop'; readonly reason: string };
export type WorkForce = { readonly type: 'work.force' };

/** The entry of one actor in the path of a permission request. */
export type Hop = {
  /** ID of the tool call, task or agent; `desk` for the approvers of the session. */
  readonly actor: string;
  /** Reaction of the actor to the request. */
  readonly verdict: 'asked' | 'passed on' | 'allowed' | 'denied';
  /** Epoch milliseconds. An actor passes a request on at once, so `passed on` has the time of the request. */
  readonly at: number;
  /** The rule because of which the tool call asks. */
  readonly rule?: string | undefined;
};
export const Hop = z.object({
  actor: z.string(),
  verdict: z.enum(['asked', 'passed on', 'allowed', 'denied']),
  at,
  rule: z.string().optional(),
}) satisfies z.ZodType<Hop>;

/** A permission request: what would run, and which agent asks. Plain data that survives JSON. */
export type PermissionRequest = {
  readonly type: 'permission.request';
  /** For `approvals.decide`. */
  readonly requestId: RequestId;
  /** `question`, `elicitation` (of an MCP server): the answer is in `updatedInput`. `plan`: a plan waits for approval. */
  readonly kind: 'permission' | 'question' | 'elicitation' | 'plan';
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly toolName: string;
  /** The tool's own name for the call, which a server may have chosen; absent if it is `toolName`. */
  readonly displayName?: string | undefined;
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** The tool's input as the model sent it: what runs if the request is allowed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One line about this call by the tool itself. It may quote the model, so show `input` beside it. */
  readonly description: string;
  /** Why permission is needed, in words for a person. */
  readonly message: string;
  /** Changes of the rules that would let calls like this one pass; give one back as `updatedPermissions`. */
  readonly suggestions: readonly PermissionUpdate[];
  /** The path because of which permission is needed, absolute. */
  readonly blockedPath?: string | undefined;
  /** The tool says that the effect of the call cannot be undone. */
  readonly isDestructive?: true | undefined;
  /** Facts about the call that its input does not show, by their names for people. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** Facts that the tool's own check adds for the approver, unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The classifier that is still deciding; removed when it has decided. */
  readonly pendingClassifierCheck?: string | undefined;
  /** Facts that the decision is based on. For Troupe itself: their shape may change. */
  readonly facts?: unknown;
  /** The same as `agent.id`. */
  readonly agentId: AgentId;
  /** The agent that makes the call. */
  readonly agent: RequestingAgent;
  /** ID of that agent's task, for `session.task`. */
  readonly taskId: TaskId;
  /** Local ID of the child that sent the request; each hop rewrites it. */
  readonly from: string;
  /** The actors on its way up, the tool call first. */
  readonly path: readonly Hop[];
  /** When it was made, in epoch milliseconds. */
  readonly at: number;
};
export const PermissionRequest = z.object({
  type: z.literal('permission.request'),
  requestId: RequestId,
  kind: z.enum(['permission', 'question', 'elicitation', 'plan']),
  toolName: z.string(),
  displayName: z.string().optional(),
  toolUseId: z.string(),
  input: z.record(z.string(), z.unknown()),
  description: z.string(),
  message: z.string(),
  suggestions: z.array(PermissionUpdate).readonly(),
  blockedPath: z.string().optional(),
  isDestructive: z.literal(true).optional(),
  details: z.record(z.string(), z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  pendingClassifierCheck: z.string().optional(),
  facts: z.unknown().optional(),
  agentId: AgentId,
  agent: z.object({
    id: AgentId,
    name: z.string().optional(),
    type: z.string(),
    description: z.string(),
  }),
  taskId: TaskId,
  from: z.string(),
  path: z.array(Hop).readonly(),
  at,
}) satisfies z.ZodType<PermissionRequest>;

/** News of an open permission request. */
export type PermissionPatch = {
  readonly type: 'permission.patch';
  readonly requestId: RequestId;
  readonly pendingClassifierCheck?: string | undefined;
};

export type PermissionDecided = {
  readonly type: 'permission.decision';
  readonly requestId: RequestId;
  readonly answer: PermissionAnswer;
  /** The approver: `person`, `canUseTool`, `stdio`, `policy`, or the actor of a hop. */
  readonly by: string;
  /** The reason, if no person decided. */
  readonly reason?: PermissionDecisionReason;
  readonly path: readonly Hop[];
  readonly at: number;
};

/** The agent that asked has ended or was interrupted. */
export type PermissionCancel = {
  readonly type: 'permission.cancel';
  readonly requestId: RequestId;
};

/** A message in the mailbox of an agent: one block of its next user message. */
export type Envelope = {
  /** Unique in the session: a message is delivered once, also after a crash. */
  readonly id: string;
  /** Number of the message among those of its sender, from 0. */
  readonly seq: number;
  /**
   * `prompt`: from a user. `message`: from an agent. `notification`: the end of a task, or a message that could not be
   * delivered. `reminder`: an instruction of Troupe itself.
   */
  readonly kind: 'prompt' | 'message' | 'notification' | 'reminder';
  /** `user`, or the ID of the agent or task that sent it. */
  readonly from: string;
  /** Text and image blocks as in the Messages API. */
  readonly content: readonly {
    /** Kind of the block. The other fields are those of the Messages API. */
    readonly type: 'text' | 'image';
    readonly [field: string]: unknown;
  }[];
  /** Texts of hooks in front of the content. */
  readonly before?: readonly string[] | undefined;
  /** Texts of hooks behind the content. */
  readonly after?: readonly string[] | undefined;
  /** Why a hook blocked the message: the agent does not get it. */
  readonly blocked?: string | undefined;
  /** The sender's own ID for the message. */
  readonly uuid?: string | undefined;
  /** When it was sent, epoch milliseconds. */
  readonly at: number;
};
export const Envelope = z.object({
  id: z.string(),
  seq: z.int().nonnegative(),
  kind: z.enum(['prompt', 'message', 'notification', 'reminder']),
  from: z.string(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'image']) })),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  blocked: z.string().optional(),
  uuid: z.string().optional(),
  at,
}) satisfies z.ZodType<Envelope>;
