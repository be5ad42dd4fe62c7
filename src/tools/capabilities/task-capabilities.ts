import type { AgentDefinition, Effort } from '../../core/agents/agent-definition.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../../core/task-types.js';
import type {
  WorkflowDefinition,
  WorkflowInputs,
  WorkflowOutputs,
} from '../../workflow/workflow-definition.js';
import type { TypedMessage } from './typed-message.js';

/** The tasks of a session, for the tools of one agent. Absent if a tool is called without an orchestrator. */
export interface TaskCapabilities {
  /**
   * Ask the agent's task for a child. Resolve when the child has started.
   * @throws TaskRefusedError if the task refuses (depth, unknown agent type, already ending).
   */
  spawn(request: SpawnRequest): Promise<SpawnedTask>;
  /** The task and its newest state; undefined if no task of the session has this ID. */
  find(id: string): TaskStateBase | undefined;
  /** Every task that this agent may address, oldest first. */
  list(): readonly TaskStateBase[];
  /** Resolves when the task has ended; rejects with the signal's reason. */
  waitFor(id: TaskId, signal: AbortSignal): Promise<TaskOutcome>;
  /** The same for a foreground task; resolve earlier if it is moved to the background. */
  waitInForeground(id: TaskId, signal: AbortSignal): Promise<ForegroundEnd>;
  /** Resolves when the task and everything below it has ended. */
  kill(id: TaskId, reason: string): Promise<TaskOutcome>;
  /** The output of the task from byte `from` on, never half a character; at most 1 MiB, or `maxBytes`. */
  readOutput(id: TaskId, from: number, maxBytes?: number): Promise<OutputPart>;
  /** How much output of a task this agent has taken, in bytes; 0 before the first call. */
  takenOutput(id: TaskId): number;
  /** Record that this agent has taken the output up to byte `next`. */
  takeOutput(id: TaskId, next: number): void;
  /** Resolve with the recipients' IDs when the message is on disk. @throws UnknownRecipientError, TeamRefusedError */
  send(
    to: string,
    message: string | TypedMessage,
    summary?: string,
  ): Promise<readonly [AgentId, ...AgentId[]]>;
}

/** A part of a task's output. */
type OutputPart = {
  /** The text, which begins and ends with whole characters. */
  readonly text: string;
  /** Byte after the text: `from` of the next read. */
  readonly next: number;
};

/** Fields of every request for a task. */
type RequestBase = {
  /** The purpose of the task, in a few words for people. */
  readonly description: string;
  /** True: no tool call waits for the task, and its end becomes a notification. */
  readonly isBackgrounded: boolean;
  /** Tool call that requests the task. */
  readonly toolUseId: string;
};

/** A task that a tool requests. */
export type SpawnRequest =
  | WorkflowRequest
  | ToolRequest
  | CommandRequest
  | MonitorMcpRequest
  | (NewAgentRequest & { readonly kind: 'local_agent' })
  | (NewAgentRequest & { readonly kind: 'dream' })
  | (NewAgentRequest & {
      readonly kind: 'in_process_teammate';
      /** Team that the agent joins. It is idle when it has nothing to do, and always in the background. */
      readonly team: string;
    });

/** A command line for a shell. */
export type CommandRequest = RequestBase & {
  readonly kind: 'local_bash';
  /** The command line, as the model wrote it. */
  readonly command: string;
  /** Folder that the shell starts in, absolute. */
  readonly cwd: string;
  /** After this time the command is killed; in the background only if it is monitored. */
  readonly timeoutMs: number;
  /** Each line of stdout becomes a notification for the agent that started the command. */
  readonly isMonitored?: true;
  /** Writable folders of the command in a sandbox. */
  readonly workspace: readonly string[];
  /** Whether the command was allowed to run outside the sandbox. */
  readonly leavesSandbox: boolean;
  /** The command line that the shell runs instead of `command`. */
  readonly runsAs?: string;
  /** Called with the output of the command while it runs. */
  readonly onProgress?: (text: string) => void;
};

/** A resource or a tool of an MCP server that is watched. Each change becomes a notification for the agent. */
export type MonitorMcpRequest = RequestBase & {
  readonly kind: 'monitor_mcp';
  /** Name of the server. */
  readonly server: string;
  /** Address of the resource; absent if a tool is watched. */
  readonly uri?: string;
  /** The server's own name of the tool. */
  readonly tool?: string;
  /** Input of the tool. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Milliseconds between two looks. */
  readonly intervalMs: number;
  /** Milliseconds after which the task ends; none if absent. */
  readonly timeoutMs?: number;
};

/** A request for a new agent. */
export type AgentRequest = Extract<
  SpawnRequest,
  { readonly kind: 'local_agent' | 'in_process_teammate' | 'dream' }
>;

type NewAgentRequest = RequestBase & {
  /** Name of a definition, or `fork`. Needed without `resume`; with it, the type that the agent has. */
  readonly agentType?: string | undefined;
  /** Agent ID, task ID or name of an agent that has ended: it is resumed with the prompt. */
  readonly resume?: string | undefined;
  /** `worktree`: the agent works in a new git worktree. */
  readonly isolation?: 'worktree' | undefined;
  /** First user message; may be empty with `resume`. */
  readonly prompt: string;
  /** Name by which messages reach the agent. */
  readonly name?: string | undefined;
  /** ID or alias of a model; that of the definition if absent. */
  readonly model?: string | undefined;
  /** Permission mode. Without effect if it is laxer than the parent's. */
  readonly permissionMode?: string | undefined;
  /** How much its model thinks; as its definition says if absent. */
  readonly effort?: Effort | undefined;
  /** Rules beside those of the agent that starts it, which a skill of the user gives. */
  readonly rules?: ScopedRules | undefined;
  /** The only rules that allow anything: everything that would need approval is denied. */
  readonly onlyAllowed?: readonly string[] | undefined;
  /** Limits of the agent and everything below it; those of the definition if absent. */
  readonly taskBudget?: TaskBudget | undefined;
};

/** A workflow: agents, tools and commands in their order. */
export type WorkflowRequest = RequestBase & {
  readonly kind: 'local_workflow';
  /** Steps, checked already. */
  readonly definition: WorkflowDefinition;
  /** Values of `inputs` in expressions. */
  readonly inputs: WorkflowInputs;
  /** Agents that only this workflow has. */
  readonly agents?: readonly AgentDefinition[] | undefined;
  /** The run that is resumed. */
  readonly from?: TaskId | undefined;
  /** Outputs of the run that is resumed, by step and entry: what is done is not run again. */
  readonly done?: WorkflowOutputs | undefined;
  /** Rules beside those of the agent that starts the workflow. Only a caller that may change rules gives any. */
  readonly rules?: ScopedRules | undefined;
  /** Permission mode. Without effect if it is laxer than the parent's. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Limits of all steps together. */
  readonly taskBudget?: TaskBudget | undefined;
};

/** One tool call without an agent. */
export type ToolRequest = RequestBase & {
  readonly kind: 'local_tool';
  /** Name of a tool that the session has. */
  readonly tool: string;
  /** Input of the call, not parsed yet. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Rules beside those of the agent that starts it, which a skill of the user gives. */
  readonly rules?: ScopedRules | undefined;
  /** Gets the data that the tool returned, beside the text for a model. */
  readonly onData?: (data: unknown) => void;
};

/** A task that has started. */
export type SpawnedTask = {
  /** For `waitFor`, `kill` and `readOutput`. */
  readonly id: TaskId;
  /** ID of the agent that does the work; absent for a command. */
  readonly agentId?: AgentId;
  /** Name of that agent's definition. */
  readonly agentType?: string;
  /** Absolute path of the file that gets the output of the task. */
  readonly outputFile: string;
};
