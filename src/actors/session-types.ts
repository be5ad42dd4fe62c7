import type { AgentDefinition } from '../core/agent-definition.js';
import type { AppState } from '../core/app-state.js';
import type { Envelope } from '../core/events.js';
import type { AgentId, SessionId, TaskId } from '../core/ids.js';
import type { McpServerStatus } from '../core/mcp-types.js';
import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import type { SessionContext } from '../context/context-keys.js';
import type { FilePool } from '../journal/file-pool.js';
import type { Journal } from '../journal/journal.js';
import type { PastTask } from '../journal/task-entries.js';
import type { Model } from '../model/model.js';
import type { UsageLedger } from '../model/usage-ledger.js';
import type { ProcessKeeper } from '../tools/shell/process-keeper.js';
import type { Tool } from '../tools/tool.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { AppStateStore } from './app-state-store.js';
import type { Audit } from './audit.js';
import type { EventBus } from './event-bus.js';
import type { ResumedSession } from './resume/resumed-session.js';
import type { TaskBoard } from './task-board.js';
import type { Timers } from './timers.js';

/** What a session is made of; fixed for its life. */
export type SessionOptions = {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly directory: string;
  /** What it is gone on with; undefined where it is new. */
  readonly resumed: ResumedSession | undefined;
  readonly cwd: string;
  readonly model: Model;
  readonly modelName: string;
  readonly maxTokens: number;
  /** The pool without what comes from servers. */
  readonly tools: readonly Tool[];
  /** The servers that tools come from; absent where there are none. */
  readonly mcp: SessionMcp | undefined;
  readonly definitions: readonly AgentDefinition[];
  readonly context: SessionContext | undefined;
  readonly permissions: ToolPermissionContext;
  readonly isInteractive: boolean;
  readonly verbose: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxDepth: number;
};

/** The MCP servers of a session. */
export type SessionMcp = {
  /** The whole pool, when every server has connected or failed. Never rejects. */
  readonly pool: Promise<readonly Tool[]>;
  servers(): readonly McpServerStatus[];
};

/** What all sessions of an orchestrator share. */
export type SharedServices = {
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly keeper: ProcessKeeper;
  readonly files: FilePool;
  /** Live agents of all sessions. */
  readonly agents: Map<AgentId, AgentRuntime>;
};

export type NewAgent = {
  readonly taskId: TaskId;
  readonly definition: AgentDefinition;
  readonly parent: AgentRuntime | undefined;
  readonly parentToolUseId: string | null;
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
};

/** Everything of one session beside its actors: files, bus, read model, and the parts of its live agents. */
export interface SessionRuntime {
  readonly options: SessionOptions;
  readonly journal: Journal;
  readonly bus: EventBus;
  readonly board: TaskBoard;
  readonly audit: Audit;
  readonly store: AppStateStore;
  /** Resolves when its servers have connected or failed; absent where it has none, or that is past. */
  readonly starting: Promise<unknown> | undefined;
  readonly shared: SharedServices;
  /** Live agents. */
  readonly agents: ReadonlyMap<AgentId, AgentRuntime>;
  /** Which task has, or had, this conversation. */
  taskOfAgent(id: AgentId): TaskId | undefined;
  agentOfTask(id: TaskId): AgentId | undefined;
  /** Tasks of the processes before this one; all have ended. */
  readonly past: readonly PastTask[];
  getAppState(): AppState;
  createAgent(agent: NewAgent): AgentRuntime;
  /** Takes back what `createAgent` made, when its task has ended or was refused. */
  forgetAgent(id: AgentId, status: string): void;
  /** The next envelope of a sender: sequence numbers count per sender. */
  envelope(kind: Envelope['kind'], from: string, content: Envelope['content']): Envelope;
  /** Where a running command's progress goes. */
  readonly progress: Map<TaskId, (text: string) => void>;
}
