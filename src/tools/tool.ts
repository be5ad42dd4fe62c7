import type { ResultOnDisk } from '../context/result-limit.js';
import type { z } from 'zod';
import type { AgentDefinition } from '../core/agents/agent-definition.js';
import type { Skill } from '../core/commands/command.js';
import type { AppState } from '../core/agents/app-state.js';
import type { AgentId } from '../core/ids.js';
import type { InputBlock } from '../core/input-block.js';
import type { AssistantMessage, ToolResultBlock } from '../core/messages.js';
import type { PermissionDecision, PermissionResult } from '../core/decision-types.js';
import type { ToolView } from './tool-view.js';
import type { ActiveSandbox } from '../processes/sandbox/sandbox.js';
import type { DeferredTool } from './deferred-tool.js';
import type { McpCapabilities } from './capabilities/mcp-capabilities.js';
import type { SkillCapabilities } from './capabilities/skill-capabilities.js';
import type { TargetName } from '../permissions/rules/target-name.js';
import type {
  ToolUseCall,
  ToolUseFiles,
  ToolUsePermissions,
  ToolUseTasks,
} from './tool-context-groups.js';
import type { RequestDetails, RequestSurroundings } from './request-details.js';
import type { ToolUseWeb } from './capabilities/web-capabilities.js';

/** A zod schema of an object. */
export type AnyObject = z.ZodType<{ [key: string]: unknown }>;

/** A JSON schema of an object, as the model gets it. */
export type ToolInputJSONSchema = {
  readonly type: 'object';
  /** Schemas of the fields, by name. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
};

/** Progress of a running tool; delivered at once, never stored. */
export type ToolProgressData = {
  /** Kind of progress. */
  readonly type: string;
  readonly [key: string]: unknown;
};
/** A message that a tool adds to the conversation. */
export type NewMessage = {
  readonly role: 'user';
  /** Text that is not blank, or at least one block. */
  readonly content: string | readonly InputBlock[];
};
/** The result of a call: the data and its other effects. */
export type ToolResult<T> = {
  /** Return value of the tool. */
  readonly data: T;
  /** The file with the complete result, if its text is cut. */
  readonly onDisk?: ResultOnDisk;
  /** User messages for the model: their blocks follow the results of the reply that made the call. */
  readonly newMessages?: readonly NewMessage[];
  /** Only honoured if the call was not concurrency-safe. */
  readonly contextModifier?: (context: ToolUseContext) => ToolUseContext;
  /** Further data of an MCP server's result. Programs get it beside `data`, the model does not. */
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
      /** Text for the model: what was wrong and what would work. */
      readonly message: string;
    };

export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<PermissionDecision>;

/** The object of a permission, which decides which rules apply. Paths may be relative to the cwd. */
export type PermissionTarget =
  | {
      readonly kind: 'paths';
      /** Every file or folder that the call reads or writes. */
      readonly paths: readonly TargetPath[];
    }
  | {
      readonly kind: 'shell';
      /** Command line for bash, which is judged command by command. */
      readonly command: string;
      /** The text is a part of a command line, or keys: nothing of it can be judged as a command. */
      readonly isPartial?: boolean;
    }
  | {
      readonly kind: 'script';
      /**
       * Command line for another shell, which is not analysed: an allow rule matches it as a whole, or as one plain
       * command; deny and ask rules match any part of it.
       */
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

/**
 * Everything that a tool gets besides its arguments: no global state. A function takes the groups it needs. Optional
 * members may be absent in a headless call.
 */
export interface ToolUseContext {
  /** The call itself. */
  readonly call: ToolUseCall;
  /** Folders and files. */
  readonly files: ToolUseFiles;
  /** Tasks, teams and schedules. */
  readonly tasks: ToolUseTasks;
  /** Rules and mode. */
  readonly permissions: ToolUsePermissions;
  /** Web pages. */
  readonly web: ToolUseWeb;
  /** The session and the agent that made the call. */
  readonly session: ToolUseSession;
}

/** The part of a tool's context about the session and the agent. */
export type ToolUseSession = {
  /** ID of the agent's conversation, for messages and `resume`. */
  readonly agentId?: AgentId;
  /** Name of the agent's definition, such as `worker`; `main` for a main agent without one. */
  readonly agentType?: string;
  /** Tools that the agent has, those of MCP servers included. */
  readonly tools: readonly Tool[];
  /** Tools that the model sees only when ToolSearch has found them; none if absent. */
  readonly deferredTools?: readonly DeferredTool[];
  /** List the tools of all MCP servers again. Resolves with the tools of the agent; absent without servers. */
  readonly refreshTools?: () => Promise<readonly Tool[]>;
  /** The skills of the session; none if absent. */
  readonly skills?: SkillCapabilities;
  /** The resources of the MCP servers; absent without servers. */
  readonly mcp?: McpCapabilities;
  /** ID or alias of the model that the agent asks. */
  readonly mainLoopModel: string;
  /** Agents of the session that the agent can start. */
  readonly agentDefinitions: readonly AgentDefinition[];
  /** The folder is not trusted: git runs no program of its repository without a prompt. */
  readonly isUntrusted?: true;
  /** The option `verbose` of the orchestrator. */
  readonly verbose: boolean;
  /** The environment of shells; the process's own if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The sandbox of shells; none if absent. */
  readonly sandbox?: ActiveSandbox;
  /** Return the state of the session. */
  readonly getAppState?: () => AppState;
  /** Change the state of the session. A sub-agent's change has no effect. */
  readonly setAppState?: (update: (previous: AppState) => AppState) => void;
  /** Change the state of the session at every depth. */
  readonly setAppStateForTasks?: (update: (previous: AppState) => AppState) => void;
};

/** Facts about the place that a session runs in, on which tools depend. */
export type ToolSurroundings = {
  /** The environment of shells. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the session, absolute. */
  readonly cwd: string;
  /** Settings name a language server, or there is one that is used without. */
  readonly hasLanguageServers?: boolean;
  /** Whether there is a skill that a model may use. */
  readonly hasSkills?: boolean;
  /** Whether the session has MCP servers. */
  readonly hasMcpServers?: boolean;
};

/** Values that the prompt of a tool may depend on. */
export type ToolPromptOptions = {
  /** Agents that can be started. */
  readonly agents: readonly AgentDefinition[];
  /** Folder that the agent works in, absolute. */
  readonly cwd: string;
  /** Skills of the session; none if absent. */
  readonly skills?: readonly Skill[];
  /** Most characters of a list of them. */
  readonly skillBudget?: number;
  /** Most characters of one description in it. */
  readonly maxDescriptionChars?: number;
};

/** A tool of an agent: a schema, a description for the model, safety predicates, and the call. */
export interface Tool<
  Input extends AnyObject = AnyObject,
  Output = unknown,
  P extends ToolProgressData = ToolProgressData,
> {
  /** Name of the tool, for the model and for rules. */
  readonly name: string;
  /** Older names that a model may still use. */
  readonly aliases?: readonly string[];
  /** 3 to 10 words that are not in the name: ToolSearch finds the tool by them. */
  readonly searchHint?: string;
  /** Server and name of a tool of an MCP server. */
  readonly mcpInfo?: {
    /** Key of the server in `mcpServers`. */
    readonly serverName: string;
    /** Name that the server gives the tool. */
    readonly toolName: string;
  };
  /** Name for people in a permission request; `name` unless the input says more. */
  userFacingName(input?: z.infer<Input>): string;

  /** Zod schema that the input is parsed with. */
  readonly inputSchema: Input;
  /** Sent as it is and used to validate, instead of `inputSchema`. */
  readonly inputJSONSchema?: ToolInputJSONSchema;
  /** Zod schema of `data`, for programs that read results: views are made only of data that it accepts. */
  readonly outputSchema?: z.ZodType<Output>;

  /**
   * Gets parsed input. Rejects with an error whose message is for the model.
   *
   * @param canUseTool decides on a further call that this one makes
   * @param parentMessage the part of the reply that made the call; undefined if a program makes it
   */
  call(
    args: z.infer<Input>,
    context: ToolUseContext,
    canUseTool: CanUseTool,
    parentMessage: AssistantMessage | undefined,
    onProgress?: (progress: P) => void,
  ): Promise<ToolResult<Output>>;
  /** One line about this call, for people. */
  description(input: z.infer<Input>): string;
  /** The description for the model. Must not change while an agent lives. */
  prompt(options: ToolPromptOptions): string;

  /** Whether the call may run in parallel with others. */
  isConcurrencySafe(input: z.infer<Input>): boolean;
  /** Whether agents get the tool. Called when a session starts. */
  isEnabled(surroundings: ToolSurroundings): boolean;
  /** Whether the call changes nothing. */
  isReadOnly(input: z.infer<Input>): boolean;
  /** Whether the call changes what cannot be undone: approvers see it as the risk. */
  isDestructive(input: z.infer<Input>): boolean;
  /** Facts about the call for approvers that its input does not show, by their names: each on one line. */
  requestDetails?(input: z.infer<Input>, around: RequestSurroundings): RequestDetails;
  /** The effect of a new user message on a running call; `block` if absent. */
  interruptBehavior?(): 'cancel' | 'block';
  /** Whether a person must answer: no rule or mode allows the call. */
  requiresUserInteraction?(): boolean;
  /** The kind of the tool's permission requests: a permission if absent. */
  readonly askKind?: 'question' | 'plan' | 'elicitation';

  /** Check an input that the schema accepts, before any permission request. */
  validateInput?(input: z.infer<Input>, context: ToolUseContext): Promise<ValidationResult>;
  /**
   * The tool's own check, after the rules. With `updatedInput` that input runs instead; it is parsed, validated and
   * decided by every rule like any other. An input that a person has seen or edited is not rewritten any more.
   */
  checkPermissions(input: z.infer<Input>, context: ToolUseContext): Promise<PermissionResult>;
  /** The object of this call's permission; the tool's bare name if absent. */
  permissionTarget?(input: z.infer<Input>): PermissionTarget;
  /**
   * Read an input once, and return a function that says which contents of rules `Tool(content)` match it, beside
   * `permissionTarget`. The function is called for the rules that name the tool, whether they allow, deny or ask. If it
   * rejects or throws, a person decides.
   */
  preparePermissionMatcher?(input: z.infer<Input>): Promise<(pattern: string) => boolean>;
  /** The input as the classifier sees it. */
  toAutoClassifierInput(input: z.infer<Input>): string;

  /** The model sees the tool only when ToolSearch has found it, unless somebody names it. Tools of servers: if they are many. */
  readonly shouldDefer?: boolean;
  /** The tool is always in the first request. */
  readonly alwaysLoad?: boolean;

  /** A longer result goes to a file, and the model gets its path and a preview. `Infinity`: never. */
  readonly maxResultSizeChars: number;
  /** The result for people; the text of the result block if absent. */
  present?(output: Output, input: z.infer<Input>): ToolView;
  /** Make the result block that the model reads. */
  mapToolResultToToolResultBlockParam(output: Output, toolUseId: string): ToolResultBlock;
}
