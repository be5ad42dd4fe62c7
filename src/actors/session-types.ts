import type { z } from 'zod';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { AppState } from '../core/app-state.js';
import type { AgentId, SessionId, TaskId } from '../core/ids.js';
import type { McpServerStatus } from '../core/mcp-types.js';
import type {
  PermissionMode,
  ScopedRules,
  ToolPermissionContext,
} from '../core/permission-types.js';
import type { TaskBudget } from '../core/task-budget.js';
import type { Worktree } from '../core/worktree.js';
import type { SessionContext } from '../context/context-keys.js';
import type { FilePool } from '../journal/file-pool.js';
import type { Journal } from '../journal/journal.js';
import type { PastTask } from '../journal/task-entries.js';
import type { Model } from '../model/model.js';
import type { RateLimits } from '../model/rate-limits.js';
import type { UsageLedger } from '../model/usage-ledger.js';
import type { BashGrammar } from '../tools/shell/bash-grammar.js';
import type { ProcessKeeper } from '../tools/shell/process-keeper.js';
import type { Tool, ToolInputJSONSchema } from '../tools/tool.js';
import type { KnownNames } from '../permissions/rule-problems.js';
import type { WaysOutOfSandbox } from '../permissions/shell/excluded-command.js';
import type { Admission } from './admission.js';
import type { AgentDriver } from './agent/agent-parts.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { SilenceLimits } from './agent/silence-watch.js';
import type { ForkedAgent } from './agent/fork.js';
import type { AppStateStore } from './app-state-store.js';
import type { Audit } from './audit.js';
import type { Classifier } from './classifier/classifier.js';
import type { EventBus } from './event-bus.js';
import type { Hooks } from './hooks/hook-types.js';
import type { SessionHooks } from './hooks/session-hooks.js';
import type { EarlierAgent } from './resume/earlier-agent.js';
import type { ResumedSession } from './resume/resumed-session.js';
import type { Mailroom } from './mailroom.js';
import type { RemoteTriggers, Scheduler } from './scheduler/scheduler-types.js';
import type { PermissionState } from './permission-state.js';
import type { SessionStart } from './public-types.js';
import type { TaskBoard } from './task-board.js';
import type { TeamStore } from './teams/team-store.js';
import type { Timers } from './timers.js';
import type { Worktrees } from './worktrees.js';

/** What a start says of the session's own agent, and of what it asks for. */
export type SessionChoices = Pick<
  SessionStart,
  'appendSystemPrompt' | 'effort' | 'systemPrompt' | 'thinking' | 'title'
> & {
  /** The JSON schema of the answer. */
  readonly outputSchema?: ToolInputJSONSchema;
  /** The zod schema that it was made from. */
  readonly outputType?: z.ZodType;
};

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
  /** Ids, in the order in which they are tried. */
  readonly fallbackModels: readonly string[];
  readonly silence: SilenceLimits;
  readonly maxTokens: number;
  /** The pool without what comes from servers. */
  readonly tools: readonly Tool[];
  /** The servers that tools come from; absent where there are none. */
  readonly mcp: SessionMcp | undefined;
  readonly definitions: readonly AgentDefinition[];
  readonly context: SessionContext | undefined;
  readonly permissions: ToolPermissionContext;
  /** What rules of the program may name. */
  readonly known: KnownNames;
  readonly isInteractive: boolean;
  readonly verbose: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Nobody trusts the folder that agents work in. */
  readonly isUntrusted: boolean;
  /** What the sandbox of shells leaves out; undefined where none is in force. */
  readonly sandbox: WaysOutOfSandbox | undefined;
  readonly maxDepth: number;
  /** In place of what the model's id says; undefined where that counts. */
  readonly contextWindow: number | undefined;
  readonly autoCompact: boolean;
  /** Of each sub-agent that has none of its own. */
  readonly taskBudget: TaskBudget | undefined;
  readonly choices: SessionChoices;
  readonly hooks: Hooks;
  /** In place of a small model; undefined where that decides. */
  readonly classifier: Classifier | undefined;
  /** What is allowed is asked for all the same. */
  readonly requiresCanUseTool: boolean;
};

/** The MCP servers of a session. */
export type SessionMcp = {
  /** The whole pool, when every server has connected or failed. Never rejects. */
  readonly pool: Promise<readonly Tool[]>;
  servers(): readonly McpServerStatus[];
};

/** What all sessions of an orchestrator share. */
export type SharedServices = {
  readonly graceMs: number;
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly rateLimits: RateLimits;
  /** Who may start; absent where all may at once. */
  readonly admission: Admission | undefined;
  readonly keeper: ProcessKeeper;
  readonly bashGrammar: BashGrammar;
  readonly files: FilePool;
  readonly scheduler: Scheduler;
  readonly triggers: RemoteTriggers;
  /** Live agents of all sessions. */
  readonly agents: Map<AgentId, AgentRuntime>;
  /** A task has left memory. */
  forgetTask(id: TaskId): void;
};

export type NewAgent = {
  readonly taskId: TaskId;
  readonly definition: AgentDefinition;
  readonly parent: AgentRuntime | undefined;
  readonly parentToolUseId: string | null;
  readonly name: string | undefined;
  /** What it is started for, in one line. */
  readonly description: string;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  /** Beside those of whoever is above it. */
  readonly rules?: ScopedRules | undefined;
  /** What it and all below it may use; only those above limit it where absent. */
  readonly budget: TaskBudget | undefined;
  /** The git worktree of its own that it works in. */
  readonly worktree?: Worktree | undefined;
  /** What it was, of an agent that had ended and goes on. */
  readonly earlier?: EarlierAgent | undefined;
  /** What it is a copy of. */
  readonly fork?: ForkedAgent | undefined;
  /** What it asks in the place of a model. */
  readonly driver?: AgentDriver | undefined;
  /** False of what is none, though others are below it: budgets of agents do not count it. */
  readonly isAgent?: boolean;
};

/** Everything of one session beside its actors: files, bus, read model, and the parts of its live agents. */
export interface SessionRuntime {
  readonly options: SessionOptions;
  readonly journal: Journal;
  readonly bus: EventBus;
  readonly board: TaskBoard;
  readonly teams: TeamStore;
  readonly mail: Mailroom;
  readonly audit: Audit;
  readonly hooks: SessionHooks;
  readonly worktrees: Worktrees;
  /** Resolves when what earlier processes left of worktrees is seen to; absent where there is nothing, or that is past. */
  readonly recovering: Promise<void> | undefined;
  readonly store: AppStateStore;
  readonly permissions: PermissionState;
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
  /** Where a running command's progress goes. */
  readonly progress: Map<TaskId, (text: string) => void>;
}
