import type { ResultOnDisk } from '../context/result-limit.js';
import type { z } from 'zod';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { AppState } from '../core/app-state.js';
import type { AgentId, TaskId } from '../core/ids.js';
import type { AssistantMessage, Message, ToolResultBlock } from '../core/messages.js';
import type {
  PermissionDecision,
  PermissionMode,
  PermissionResult,
  PermissionUpdate,
  ScopedRules,
} from '../core/permission-types.js';
import type { TaskBudget } from '../core/task-budget.js';
import type {
  WorkflowDefinition,
  WorkflowInputs,
  WorkflowOutputs,
} from '../core/workflow-definition.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../core/task-types.js';
import type { WaysOutOfSandbox } from '../permissions/shell/excluded-command.js';
import type { TargetName } from '../permissions/target-name.js';
import type { FileStateCache } from './file-state-cache.js';
import type { ScheduleCapabilities } from './schedule/schedule-capabilities.js';
import type { TeamCapabilities } from './tasks/team-capabilities.js';
import type { TypedMessage } from './tasks/typed-message.js';

export type AnyObject = z.ZodType<{ [key: string]: unknown }>;

/** A JSON schema for an object, as it is sent to the model. */
export type ToolInputJSONSchema = {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
};

/** What a tool reports while it runs; delivered at once, never stored. */
export type ToolProgressData = { readonly type: string; readonly [key: string]: unknown };
/** What a call resolves with: the data, and what else it changes. */
export type ToolResult<T> = {
  readonly data: T;
  /** The file that holds all of a result whose text lacks a part. */
  readonly onDisk?: ResultOnDisk;
  /** Only honoured if the call was not concurrency-safe. */
  readonly contextModifier?: (context: ToolUseContext) => ToolUseContext;
  readonly mcpMeta?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
};

export type ValidationResult =
  | { readonly result: true }
  /** `message` is for the model: what was wrong and what would work. */
  | { readonly result: false; readonly message: string };

export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<PermissionDecision>;

/** What a permission is asked for: decides which rules apply. Paths may be relative to the cwd. */
export type PermissionTarget =
  | {
      readonly kind: 'paths';
      readonly paths: readonly {
        readonly path: string;
        readonly access: 'read' | 'write';
        /** Where it is a folder, what is below it is read as well. */
        readonly isTree?: true;
      }[];
    }
  | { readonly kind: 'shell'; readonly command: string }
  /** What it fetches: rules `Tool(domain:…)` name its host, and what is not on the public network is refused. */
  | { readonly kind: 'web'; readonly url: string }
  | ({ readonly kind: 'name' } & TargetName);

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

export type SpawnedTask = {
  readonly id: TaskId;
  readonly agentId?: AgentId;
  readonly agentType?: string;
  readonly outputFile: string;
};

/** All that a tool gets besides its arguments: no global state. Optional parts may be absent in a headless call. */
export interface ToolUseContext {
  readonly options: {
    readonly tools: readonly Tool[];
    readonly mainLoopModel: string;
    readonly agentDefinitions: readonly AgentDefinition[];
    /** Nobody trusts the folder: git runs nothing of its repository without a prompt. */
    readonly isUntrusted?: true;
    readonly isNonInteractiveSession: boolean;
    readonly verbose: boolean;
    readonly debug: boolean;
    /** The environment of shells; the process's own where absent. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** The sandbox that shells run in; none is in force where absent. */
    readonly sandbox?: WaysOutOfSandbox;
  };
  readonly toolUseId: string;
  readonly abortController: AbortController;
  /** Where relative paths and shells start; a shell's `cd` moves it for later calls of the same agent. */
  readonly cwd: string;
  /** Where `cwd` began. */
  readonly projectRoot: string;
  /** Where those above it work, if that is elsewhere: what is denied or asked for there is so here. Nowhere where absent. */
  readonly outerRoots?: readonly string[];
  /** Which files this agent has read, and as what: Edit and Write refuse others. */
  readonly readFileState: FileStateCache;
  readonly messages: readonly Message[];
  readonly agentId?: AgentId;
  readonly agentType?: string;
  readonly getAppState?: () => AppState;
  readonly setAppState?: (update: (previous: AppState) => AppState) => void;
  /** Reaches the session's own state from every depth, where `setAppState` of a sub-agent does not. */
  readonly setAppStateForTasks?: (update: (previous: AppState) => AppState) => void;
  /** Changes mode and rules of the session. Only the session's own agent has it. */
  readonly updatePermissions?: (update: PermissionUpdate) => void;
  readonly tasks?: TaskCapabilities;
  readonly teams?: TeamCapabilities;
  readonly schedule?: ScheduleCapabilities;
  /** Whether no rule keeps a file (absolute path) from being read: for tools that come upon files. All may where absent. */
  readonly mayRead?: (path: string) => boolean;
  /** What tools and tasks of the session have put out, an absolute path: agents read it without approval. */
  readonly outputFolder?: string;
  /** The real paths that this call was allowed for: what it opens must be one of them. Any where absent. */
  readonly approvedPaths?: readonly string[];
  /** The command line that a shell runs instead of its input, with the safeguards of commands that no rule allowed. */
  readonly safeguardedCommand?: string;
  readonly fileReadingLimits?: { readonly maxTokens?: number; readonly maxSizeBytes?: number };
  readonly globLimits?: { readonly maxResults?: number };
}

/** Something that an agent can use: a schema, what the model is told, safety predicates, and the call. */
export interface Tool<
  Input extends AnyObject = AnyObject,
  Output = unknown,
  P extends ToolProgressData = ToolProgressData,
> {
  readonly name: string;
  /** Older names that a model may still use. */
  readonly aliases?: readonly string[];
  /** 3 to 10 words that are not in the name. */
  readonly searchHint?: string;
  readonly mcpInfo?: { readonly serverName: string; readonly toolName: string };
  userFacingName(input?: z.infer<Input>): string;

  readonly inputSchema: Input;
  /** Sent as it is and used to validate, instead of `inputSchema`. */
  readonly inputJSONSchema?: ToolInputJSONSchema;
  readonly outputSchema?: z.ZodType<Output>;

  /** Receives parsed input. Rejects with an error whose message is written for the model. */
  call(
    args: z.infer<Input>,
    context: ToolUseContext,
    canUseTool: CanUseTool,
    parentMessage: AssistantMessage | undefined,
    onProgress?: (progress: P) => void,
  ): Promise<ToolResult<Output>>;
  /** One line about this use of it, for people. */
  description(input: z.infer<Input>): string;
  /** What the model is told about it. Must not change while an agent lives. */
  prompt(options: { readonly agents: readonly AgentDefinition[]; readonly cwd: string }): string;

  isConcurrencySafe(input: z.infer<Input>): boolean;
  isEnabled(): boolean;
  isReadOnly(input: z.infer<Input>): boolean;
  isDestructive(input: z.infer<Input>): boolean;
  /** What a new user message does to a running call; `block` where absent. */
  interruptBehavior?(): 'cancel' | 'block';
  requiresUserInteraction?(): boolean;
  /** What an ask of this tool is for people: a permission where absent. */
  readonly askKind?: 'question' | 'plan';

  validateInput?(input: z.infer<Input>, context: ToolUseContext): Promise<ValidationResult>;
  /**
   * What the tool itself says, behind the rules. With `updatedInput` another input runs in the place of this one, parsed,
   * validated and judged by every rule as any; what a person was shown or has edited is not rewritten any more.
   */
  checkPermissions(input: z.infer<Input>, context: ToolUseContext): Promise<PermissionResult>;
  /** Which rules apply to this use; the tool's bare name where absent. */
  permissionTarget?(input: z.infer<Input>): PermissionTarget;
  /**
   * Reads an input once, and says which contents of rules `Tool(content)` match it, beside what `permissionTarget` names.
   * Asked about the rules that name the tool, whatever they do. Where it rejects or throws, a person is asked.
   */
  preparePermissionMatcher?(input: z.infer<Input>): Promise<(pattern: string) => boolean>;
  toAutoClassifierInput(input: z.infer<Input>): string;

  readonly shouldDefer?: boolean;
  readonly alwaysLoad?: boolean;

  /** A longer result goes to a file, and the model gets its path and a preview. `Infinity`: never. */
  readonly maxResultSizeChars: number;
  mapToolResultToToolResultBlockParam(output: Output, toolUseId: string): ToolResultBlock;
}
