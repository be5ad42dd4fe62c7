import type { AgentDefinition } from '../core/agents/agent-definition.js';
import type { AgentId, TaskId } from '../core/ids.js';
import type { PermissionMode, ScopedRules } from '../core/permission-types.js';
import type { TaskBudget } from '../core/tasks/task-budget.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../core/task-types.js';
import type {
  WorkflowDefinition,
  WorkflowInputs,
  WorkflowOutputs,
} from '../workflow/workflow-definition.js';
import type { TypedMessage } from './typed-message.js';

/** What a tool needs of the actors above it. Absent where a tool is called by itself. */
export interface TaskCapabilities {
  /**
   * Asks the agent's own task for a child. Resolves when the child has started.
   * @throws TaskRefusedError where the task refuses (depth, unknown agent type, already ending).
   */
  spawn(request: SpawnRequest): Promise<SpawnedTask>;
  /** The task and its newest state; undefined where no task of the session has this id. */
  find(id: string): TaskStateBase | undefined;
  /** Every task that this agent may address, oldest first. */
  list(): readonly TaskStateBase[];
  /** Resolves when the task has ended; rejects with the signal's reason. */
  waitFor(id: TaskId, signal: AbortSignal): Promise<TaskOutcome>;
  /** The same for a task that was started in the foreground; resolves earlier where it is sent to the background. */
  waitInForeground(id: TaskId, signal: AbortSignal): Promise<ForegroundEnd>;
  /** Resolves when the task and everything below it has ended. */
  kill(id: TaskId, reason: string): Promise<TaskOutcome>;
  /** What the task has written from byte `from` on, never half a character; 1 MiB at most, or `maxBytes`. */
  readOutput(
    id: TaskId,
    from: number,
    maxBytes?: number,
  ): Promise<{ readonly text: string; readonly next: number }>;
  /** How far this agent has taken the output of a task, in bytes; 0 before the first time. */
  takenOutput(id: TaskId): number;
  /** This agent has taken the output up to byte `next`. */
  takeOutput(id: TaskId, next: number): void;
  /** Resolves with the recipients' ids when the message is on disk. @throws UnknownRecipientError, TeamRefusedError */
  send(
    to: string,
    message: string | TypedMessage,
    summary?: string,
  ): Promise<readonly [AgentId, ...AgentId[]]>;
}

export type SpawnRequest =
  | WorkflowRequest
  | ToolRequest
  | {
      readonly kind: 'local_bash';
      readonly command: string;
      readonly description: string;
      readonly cwd: string;
      readonly timeoutMs: number;
      readonly isBackgrounded: boolean;
      readonly toolUseId: string;
      /** Folders that it may write to in a sandbox. */
      readonly workspace: readonly string[];
      /** It was allowed to run outside the sandbox. */
      readonly leavesSandbox: boolean;
      /** What the shell runs instead of `command`. */
      readonly runsAs?: string;
      readonly onProgress?: (text: string) => void;
    }
  | (NewAgentRequest & { readonly kind: 'local_agent' })
  /** It joins a team and stays when it has nothing to do: always in the background. */
  | (NewAgentRequest & { readonly kind: 'in_process_teammate'; readonly team: string });

/** A new agent that is asked for. */
export type AgentRequest = Extract<
  SpawnRequest,
  { readonly kind: 'local_agent' | 'in_process_teammate' }
>;

type NewAgentRequest = {
  /** A definition's, or `fork`. Needed but for `resume`, where it has to be the one that it is. */
  readonly agentType?: string;
  /** Agent id, task id or name of an agent that has ended: it goes on with the prompt. */
  readonly resume?: string;
  /** A git worktree of its own to work in. */
  readonly isolation?: 'worktree';
  /** Empty where one that is resumed only goes on. */
  readonly prompt: string;
  readonly description: string;
  readonly name?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  /** What it and all below it may use. */
  readonly taskBudget?: TaskBudget;
  readonly isBackgrounded: boolean;
  readonly toolUseId: string;
};

/** Tasks in their order: agents, tools and commands. */
export type WorkflowRequest = {
  readonly kind: 'local_workflow';
  readonly definition: WorkflowDefinition;
  readonly inputs: WorkflowInputs;
  /** Agents that only it knows. */
  readonly agents?: readonly AgentDefinition[];
  /** The run that it goes on with, and what that has done, by task and entry. */
  readonly from?: TaskId;
  readonly done?: WorkflowOutputs;
  /** Rules beside those of whoever starts it, who must be entitled to give them. */
  readonly rules?: ScopedRules;
  readonly permissionMode?: PermissionMode;
  readonly taskBudget?: TaskBudget;
  readonly description: string;
  readonly isBackgrounded: boolean;
  readonly toolUseId: string;
};

/** One call of a tool, without an agent. */
export type ToolRequest = {
  readonly kind: 'local_tool';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly isBackgrounded: boolean;
  readonly toolUseId: string;
  /** Told of what the tool has returned, beside the text for a model. */
  readonly onData?: (data: unknown) => void;
};

export type SpawnedTask = {
  readonly id: TaskId;
  readonly agentId?: AgentId;
  readonly agentType?: string;
  readonly outputFile: string;
};
