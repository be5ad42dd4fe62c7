import type { ResultOnDisk } from '../context/result-limit.js';
import type { z } from 'zod';
import type { AgentDefinition } from '../core/agents/agent-definition.js';
import type { AppState } from '../core/agents/app-state.js';
import type { AgentId } from '../core/ids.js';
import type { AssistantMessage, Message, ToolResultBlock } from '../core/messages.js';
import type { PermissionDecision, PermissionResult } from '../core/decision-types.js';
import type { PermissionUpdate } from '../core/permission-types.js';
import type { WaysOutOfSandbox } from '../permissions/shell/excluded-command.js';
import type { TargetName } from '../permissions/target-name.js';
import type { FileStateCache } from './file-state-cache.js';
import type { ScheduleCapabilities } from './schedule-capabilities.js';
import type { TaskCapabilities } from './task-capabilities.js';
import type { TeamCapabilities } from './team-capabilities.js';

export type AnyObject = z.ZodType<{ [key: string]: unknown }>;

/** A JSON schema for an object, as it is sent to the model. */
export type ToolInputJSONSchema = {
  readonly type: 'object';
  /** Schemas of the fields, by name. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
};

/** What a tool reports while it runs; delivered at once, never stored. */
export type ToolProgressData = {
  /** What kind of progress it is. */
  readonly type: string;
  readonly [key: string]: unknown;
};
/** What a call resolves with: the data, and what else it changes. */
export type ToolResult<T> = {
  /** What the tool returned. */
  readonly data: T;
  /** The file that holds all of a result whose text lacks a part. */
  readonly onDisk?: ResultOnDisk;
  /** Only honoured if the call was not concurrency-safe. */
  readonly contextModifier?: (context: ToolUseContext) => ToolUseContext;
  /** What an MCP server returned beside the content. */
  readonly mcpMeta?: {
    /** The server's `_meta`. */
    readonly _meta?: Readonly<Record<string, unknown>>;
    /** The server's `structuredContent`. */
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
};

/** Whether an input that the schema accepts can be used. */
export type ValidationResult =
  | { readonly result: true }
  | {
      readonly result: false;
      /** What was wrong and what would work, in words for the model. */
      readonly message: string;
    };

export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<PermissionDecision>;

/** What a permission is asked for: decides which rules apply. Paths may be relative to the cwd. */
export type PermissionTarget =
  | {
      readonly kind: 'paths';
      /** Every file or folder that the call reads or writes. */
      readonly paths: readonly TargetPath[];
    }
  | {
      readonly kind: 'shell';
      /** The command line. */
      readonly command: string;
    }
  | {
      readonly kind: 'web';
      /** Address that the call fetches. Rules `Tool(domain:…)` name its host. Only the public network is allowed. */
      readonly url: string;
    }
  | ({ readonly kind: 'name' } & TargetName);

/** A file or folder that a tool call touches. */
type TargetPath = {
  /** Absolute, or relative to the folder of the agent. */
  readonly path: string;
  /** Whether the call changes it. */
  readonly access: 'read' | 'write';
  /** True: everything below the folder is read as well. */
  readonly isTree?: true;
};

/** All that a tool gets besides its arguments: no global state. Optional parts may be absent in a headless call. */
export interface ToolUseContext {
  /** What the session was started with. */
  readonly options: {
    /** Tools of the agent. */
    readonly tools: readonly Tool[];
    /** Model of the agent. */
    readonly mainLoopModel: string;
    /** Agents that the session has. */
    readonly agentDefinitions: readonly AgentDefinition[];
    /** Nobody trusts the folder: git runs nothing of its repository without a prompt. */
    readonly isUntrusted?: true;
    /** Whether nobody is at a terminal. */
    readonly isNonInteractiveSession: boolean;
    /** The option `verbose` of the orchestrator. */
    readonly verbose: boolean;
    /** Always false. */
    readonly debug: boolean;
    /** The environment of shells; the process's own where absent. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** The sandbox that shells run in; none is in force where absent. */
    readonly sandbox?: WaysOutOfSandbox;
  };
  /** ID of the tool call. */
  readonly toolUseId: string;
  /** Aborts when the call is to end. */
  readonly abortController: AbortController;
  /** Where relative paths and shells start; a shell's `cd` moves it for later calls of the same agent. */
  readonly cwd: string;
  /** Where `cwd` began. */
  readonly projectRoot: string;
  /** Where those above it work, if that is elsewhere: what is denied or asked for there is so here. Nowhere where absent. */
  readonly outerRoots?: readonly string[];
  /** Which files this agent has read, and as what: Edit and Write refuse others. */
  readonly readFileState: FileStateCache;
  /** Conversation of the agent so far. */
  readonly messages: readonly Message[];
  /** ID of the agent. */
  readonly agentId?: AgentId;
  /** Type of the agent. */
  readonly agentType?: string;
  /** Return the state of the session. */
  readonly getAppState?: () => AppState;
  /** Change the state of the session. */
  readonly setAppState?: (update: (previous: AppState) => AppState) => void;
  /** Reaches the session's own state from every depth, where `setAppState` of a sub-agent does not. */
  readonly setAppStateForTasks?: (update: (previous: AppState) => AppState) => void;
  /** Changes mode and rules of the session. Only the session's own agent has it. */
  readonly updatePermissions?: (update: PermissionUpdate) => void;
  /** Start, read and stop tasks. */
  readonly tasks?: TaskCapabilities;
  /** Read and change teams. */
  readonly teams?: TeamCapabilities;
  /** Schedule prompts. */
  readonly schedule?: ScheduleCapabilities;
  /** Whether no rule keeps a file (absolute path) from being read: for tools that come upon files. All may where absent. */
  readonly mayRead?: (path: string) => boolean;
  /** What tools and tasks of the session have put out, an absolute path: agents read it without approval. */
  readonly outputFolder?: string;
  /** The real paths that this call was allowed for: what it opens must be one of them. Any where absent. */
  readonly approvedPaths?: readonly string[];
  /** The command line that a shell runs instead of its input, with the safeguards of commands that no rule allowed. */
  readonly safeguardedCommand?: string;
  /** Limits of Read. */
  readonly fileReadingLimits?: {
    /** Most tokens of one result. */
    readonly maxTokens?: number;
    /** Most bytes of a file. */
    readonly maxSizeBytes?: number;
  };
  /** Limits of Glob. */
  readonly globLimits?: {
    /** Most paths of one result. */
    readonly maxResults?: number;
  };
}

/** What the prompt of a tool may depend on. */
export type ToolPromptOptions = {
  /** Agents that can be started. */
  readonly agents: readonly AgentDefinition[];
  /** Folder that the agent works in, absolute. */
  readonly cwd: string;
};

/** Something that an agent can use: a schema, what the model is told, safety predicates, and the call. */
export interface Tool<
  Input extends AnyObject = AnyObject,
  Output = unknown,
  P extends ToolProgressData = ToolProgressData,
> {
  /** Name of the tool, for the model and for rules. */
  readonly name: string;
  /** Older names that a model may still use. */
  readonly aliases?: readonly string[];
  /** 3 to 10 words that are not in the name. */
  readonly searchHint?: string;
  /** Server and name of a tool of an MCP server. */
  readonly mcpInfo?: {
    /** Name of the server in `mcpServers`. */
    readonly serverName: string;
    /** Name that the server gives the tool. */
    readonly toolName: string;
  };
  /** Name for people. */
  userFacingName(input?: z.infer<Input>): string;

  /** Zod schema that the input is parsed with. */
  readonly inputSchema: Input;
  /** Sent as it is and used to validate, instead of `inputSchema`. */
  readonly inputJSONSchema?: ToolInputJSONSchema;
  /** Zod schema of the output. */
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
  prompt(options: ToolPromptOptions): string;

  /** Whether the call may run beside others. */
  isConcurrencySafe(input: z.infer<Input>): boolean;
  /** Whether agents get the tool. */
  isEnabled(): boolean;
  /** Whether the call changes nothing. */
  isReadOnly(input: z.infer<Input>): boolean;
  /** Whether the call changes what cannot be undone. */
  isDestructive(input: z.infer<Input>): boolean;
  /** What a new user message does to a running call; `block` where absent. */
  interruptBehavior?(): 'cancel' | 'block';
  /** Whether a person must answer: no rule or mode allows the call. */
  requiresUserInteraction?(): boolean;
  /** What an ask of this tool is for people: a permission where absent. */
  readonly askKind?: 'question' | 'plan';

  /** Check an input that the schema accepts, before permissions are asked. */
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
  /** What a classifier is told of the input. */
  toAutoClassifierInput(input: z.infer<Input>): string;

  /** Without effect: all tools are in the first request. */
  readonly shouldDefer?: boolean;
  /** Without effect: all tools are in the first request. */
  readonly alwaysLoad?: boolean;

  /** A longer result goes to a file, and the model gets its path and a preview. `Infinity`: never. */
  readonly maxResultSizeChars: number;
  /** Make the result block that the model reads. */
  mapToolResultToToolResultBlockParam(output: Output, toolUseId: string): ToolResultBlock;
}
