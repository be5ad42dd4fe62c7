import type { AgentDefinition } from '../core/agent-definition.js';
import type { AppState } from '../core/app-state.js';
import type { Envelope } from '../core/events.js';
import type { AgentId, SessionId, TaskId } from '../core/ids.js';
import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import type { Journal } from '../journal/journal.js';
import type { Model } from '../model/model.js';
import type { UsageLedger } from '../model/usage-ledger.js';
import type { ProcessKeeper } from '../tools/shell/process-keeper.js';
import type { Tool } from '../tools/tool.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { AppStateStore } from './app-state-store.js';
import type { Audit } from './audit.js';
import type { EventBus } from './event-bus.js';
import type { TaskBoard } from './task-board.js';
import type { Timers } from './timers.js';

/** What a session is made of; fixed for its life. */
export type SessionOptions = {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly directory: string;
  readonly cwd: string;
  readonly model: Model;
  readonly modelName: string;
  readonly maxTokens: number;
  readonly tools: readonly Tool[];
  readonly definitions: readonly AgentDefinition[];
  readonly permissions: ToolPermissionContext;
  readonly isInteractive: boolean;
  readonly verbose: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxDepth: number;
};

/** What all sessions of an orchestrator share. */
export type SharedServices = {
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly keeper: ProcessKeeper;
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
  readonly shared: SharedServices;
  /** Live agents. */
  readonly agents: ReadonlyMap<AgentId, AgentRuntime>;
  /** Which task has, or had, this conversation. */
  taskOfAgent(id: AgentId): TaskId | undefined;
  agentOfTask(id: TaskId): AgentId | undefined;
  getAppState(): AppState;
  createAgent(agent: NewAgent): AgentRuntime;
  /** Takes back what `createAgent` made, when its task has ended or was refused. */
  forgetAgent(id: AgentId, status: string): void;
  /** The next envelope of a sender: sequence numbers count per sender. */
  envelope(kind: Envelope['kind'], from: string, content: Envelope['content']): Envelope;
  /** Where a running command's progress goes. */
  readonly progress: Map<TaskId, (text: string) => void>;
}
