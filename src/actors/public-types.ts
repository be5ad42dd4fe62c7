import type { InspectionEvent } from 'xstate';
import type { Clock } from './timers.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { PermissionRequest } from '../core/events.js';
import type { AgentId, SessionId, TaskId } from '../core/ids.js';
import type { UserBlock } from '../core/messages.js';
import type {
  PermissionAnswer,
  PermissionMode,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
import type { TaskKind, TaskOutcome, TaskStateBase, TaskStatus } from '../core/task-types.js';
import type { McpServers } from '../extensions/mcp/server-config.js';
import type { AnswerReceipt } from '../machines/permission-request.js';
import type { SessionContext } from '../context/context-keys.js';
import type { Model } from '../model/model.js';
import type { UsageTotal } from '../model/usage-ledger.js';
import type { Containment } from '../tools/shell/containment.js';
import type { Tool } from '../tools/tool.js';
import type { EventBus } from './event-bus.js';
import type { SessionMessage } from './session-message.js';

/** Answers an ask, or leaves it to others by answering nothing. The signal aborts when the ask is over. */
export type AskHandler = (
  request: PermissionRequest,
  options: { readonly signal: AbortSignal },
) => Promise<PermissionAnswer | undefined>;

/** The callback that users of other agent SDKs know. */
export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  options: {
    readonly signal: AbortSignal;
    readonly suggestions: readonly PermissionUpdate[];
    readonly toolUseID: string;
    /** The task id of the agent that asks; absent for the session's own. */
    readonly agentID?: string;
  },
) => Promise<PermissionAnswer>;

export type OrchestratorOptions = {
  /** Where agents work; absolute. The process's own where absent. */
  readonly cwd?: string;
  /** Where replies come from; the Anthropic API by the environment's key where absent. */
  readonly model?: Model;
  /** Id or alias of the model that agents use where their definition names none. */
  readonly modelName?: string;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /**
   * MCP servers by name, shared by all sessions and started with the first. A session's first request waits until each
   * has connected or failed, at most 30 s; tools that a server gets later are not seen.
   */
  readonly mcpServers?: McpServers;
  /** Agents beside the built-in ones; the same name replaces. */
  readonly agents?: readonly AgentDefinition[];
  /** What prompts tell of instructions and repository; nothing where absent. `loadContext` reads it. */
  readonly context?: SessionContext;
  readonly permissions?: ToolPermissionContext;
  readonly canUseTool?: CanUseTool;
  /** Folder of journals; `TROUPE_HOME` or `~/.troupe` where absent. */
  readonly home?: string;
  /** Environment of shells, and where keys and addresses are read from; the process's own where absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Most output tokens of one request. */
  readonly maxTokens?: number;
  /** How deep agents may start agents; the session's own is at 0. */
  readonly maxDepth?: number;
  /** From the kill of a task to the moment when whatever has not stopped is torn off, ms. */
  readonly graceMs?: number;
  readonly verbose?: boolean;
  /** For tests: the clock of every wait, and the time that is journaled (epoch ms). */
  readonly clock?: Clock;
  readonly now?: () => number;
  /** For tests and tools: every event and snapshot of every actor, before anything else learns of it. */
  readonly inspect?: (event: InspectionEvent) => void;
};

export type SessionStart = {
  /** The first user message, unchanged. Without one the session waits for `send`. */
  readonly prompt?: string | readonly UserBlock[];
  /** Name of the agent definition that plays the session's own agent. */
  readonly agent?: string;
  readonly sessionId?: string;
  /** Id of a session to go on with: the same conversation, from its journal. It works where it worked before. */
  readonly resume?: string;
  /** Goes on with the newest session of the orchestrator's folder. */
  readonly continues?: boolean;
  /** With `resume` or `continues`: goes on with a copy, under an id of its own. */
  readonly forks?: boolean;
  /** The orchestrator's where absent, or what a session that is gone on with had. */
  readonly modelName?: string;
  /** As `modelName`; a mode that bypasses permissions is not gone on with where it is not available. */
  readonly permissionMode?: PermissionMode;
  /** Requests of the session's own agent for one prompt. */
  readonly maxTurns?: number;
  /** Stays for more `send` when it has nothing to do, until `end`. */
  readonly staysOpen?: boolean;
  readonly signal?: AbortSignal;
};

/** A task of any kind. */
export interface TaskHandle {
  readonly id: TaskId;
  readonly agentId: AgentId | undefined;
  /** Task ids from the session down to this one. */
  readonly path: readonly TaskId[];
  readonly status: TaskStatus;
  /** Resolves with the outcome, whatever it is; never rejects. */
  readonly outcome: Promise<TaskOutcome>;
  /** Resolves with what the work returned. @throws TaskFailedError, TaskKilledError */
  readonly result: Promise<unknown>;
  /** Resolves when the message is on disk. @throws UnknownRecipientError where the task has ended or has no agent */
  send(text: string): Promise<void>;
  /** Resolves when the task and everything below it has ended. A second call waits for the same end. */
  kill(reason?: string): Promise<TaskOutcome>;
  /**
   * Sends it to the background: whoever waits for it in the foreground goes on, and its owner is notified of its end.
   * @returns its id; nothing where it has ended, or nobody waits for it
   */
  background(): Promise<readonly TaskId[]>;
  output(options?: {
    readonly from?: number;
  }): Promise<{ readonly text: string; readonly next: number }>;
}

export type SpawnOptions = {
  readonly agent?: string;
  readonly prompt: string;
  readonly description?: string;
  readonly name?: string;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  /** Its end becomes a notification to the session's own agent. */
  readonly background?: boolean;
};

/** A session, and its messages from the first on, kept until they are read. They are for one reader. */
export interface SessionHandle extends TaskHandle, AsyncIterable<SessionMessage> {
  readonly sessionId: SessionId;
  /** The folder of its journal. */
  readonly directory: string;
  /** Everything that happens in it. */
  readonly events: EventBus;
  /** Sends one task to the background; without an id whatever the session's own agent waits for now. @returns their ids */
  background(taskId?: string): Promise<readonly TaskId[]>;
  /** Starts an agent below the session's own. @throws TaskRefusedError */
  spawn(options: SpawnOptions): Promise<TaskHandle>;
  /** The next user message, unchanged; delivered at the next tool boundary. */
  prompt(content: string | readonly UserBlock[]): Promise<void>;
  /** Stops what the session's own agent does now; it stays. */
  interrupt(): void;
  /** No more input will come: it ends when it has nothing to do. */
  end(): void;
  setPermissionMode(mode: PermissionMode): void;
  updatePermissions(updates: readonly PermissionUpdate[]): void;
  task(id: string): TaskHandle | undefined;
  tasks(): readonly TaskStateBase[];
  usage(): { readonly total: UsageTotal; readonly byModel: ReadonlyMap<string, UsageTotal> };
}

export interface Approvals {
  /** Asks that wait, oldest first. */
  list(): readonly PermissionRequest[];
  /**
   * The first answer counts; the receipt says whether this was it.
   * @param by who answers, for the audit
   * @throws UsageError where it is no answer
   */
  decide(requestId: string, answer: PermissionAnswer, by?: string): Promise<AnswerReceipt>;
  /**
   * Attaches an answerer: every ask is shown to it, also those that wait already. Where none is attached, or the last
   * one is detached, asks are denied.
   * @returns how to detach it
   */
  onRequest(handler: AskHandler, options?: { readonly by?: string }): () => void;
}

/** One live actor: what it is doing, since when, and what it waits for. */
export type InspectedActor = {
  readonly id: string;
  readonly kind:
    TaskKind | 'agent' | 'toolCall' | 'permissionRequest' | 'orchestrator' | 'mcpConnection';
  readonly label: string;
  /** State of its machine, sub-states after a dot. */
  readonly state: string;
  /** Epoch ms. */
  readonly since: number;
  /** Empty where it waits for nothing. */
  readonly waitingFor: readonly string[];
  readonly pid?: number;
  readonly usage?: UsageTotal;
  readonly children: readonly InspectedActor[];
};

export interface Orchestrator {
  session(start?: SessionStart): SessionHandle;
  readonly approvals: Approvals;
  inspect(): InspectedActor;
  containment(): Promise<Containment>;
  /** Ends every session, waits until no process is left, and closes the journals. */
  close(reason?: string): Promise<void>;
}
