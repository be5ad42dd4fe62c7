import type { Effort } from '../agents/agent-definition.js';
import type { CompactionReport } from '../agents/compaction.js';
import type { Message, TextBlock } from '../messages.js';
import type { PermissionMode } from '../permission-types.js';
import type { Plugin } from './plugin.js';

/** An account that commands may be for: `console` has a key of the API, `claude-ai` a subscription. */
export type CommandAvailability = 'claude-ai' | 'console';

/** Fields of every command that a person can type as `/name`. */
export type CommandBase = {
  /** The word after the slash, and the name in rules such as `Skill(deploy)`: `deploy`, `frontend:review`. */
  readonly name: string;
  /** Name for people, if it differs from `name`: lists have it in front of the description. */
  readonly userFacingName?: (() => string) | undefined;
  /** Purpose of the command, for people and for the model. */
  readonly description: string;
  /** The arguments in a few words: `[issue-number]`. */
  readonly argumentHint?: string | undefined;
  /** Other words that mean the command. */
  readonly aliases?: readonly string[] | undefined;
  /** Accounts that can use the command; all if absent. Troupe uses a key of the API: without `console` it is switched off. */
  readonly availability?: readonly CommandAvailability[] | undefined;
  /** Whether the command can be used now; always if absent. Called for each list and each use. */
  readonly isEnabled?: (() => boolean) | undefined;
  /** True: no list has the command, and who knows its name can use it. */
  readonly isHidden?: boolean | undefined;
  /** True for a prompt of an MCP server. */
  readonly isMcp?: boolean | undefined;
  /** `workflow`: the prompt starts a workflow, so the agent needs the tool `Workflow`. */
  readonly kind?: 'workflow' | undefined;
  /**
   * True: a `local` command is carried out at once, also while the agent works. Otherwise it waits until the agent has
   * nothing to do. Prompts go to the mailbox of the agent.
   */
  readonly immediate?: boolean | undefined;
};

/** The session that a command is carried out for, at the moment of its use. */
export type CommandContext = {
  /** ID of the session. */
  readonly sessionId: string;
  /** The folder that its agent works in, absolute. */
  readonly cwd: string;
  /** Aborts when the agent ends. */
  readonly signal: AbortSignal;
  /** The conversation so far. */
  readonly messages: readonly Message[];
  /** ID or alias of the model that answers. */
  readonly model: string;
  /** The mode of permissions. */
  readonly permissionMode: PermissionMode;
  /** Names of the tools that the agent has. */
  readonly tools: readonly string[];
};

/** The result of a command that Troupe itself carries out. `skip`: there is nothing more to show. */
export type LocalCommandResult =
  | {
      readonly type: 'text';
      /** Text for the person; the model does not see it. */
      readonly value: string;
    }
  | {
      readonly type: 'compact';
      /** The compaction, when it has ended. */
      readonly compactionResult: CompactionReport;
    }
  | { readonly type: 'skip' };

/** The loaded code of a command that Troupe itself carries out. */
export type LocalCommandModule = {
  /** Carry the command out, with the words behind its name. */
  readonly call: (args: string, context: CommandContext) => Promise<LocalCommandResult>;
};

/** Fields of a command that Troupe or a program carries out, with or without a terminal. */
export type LocalCommand = {
  readonly type: 'local';
  /** False: the command needs a person, so `query()` refuses it and does not list it. */
  readonly supportsNonInteractive?: boolean | undefined;
  /** Load its code, for one session. */
  readonly load: () => Promise<LocalCommandModule>;
};

/** The session of a terminal that draws a command. */
export type LocalJSXCommandContext = Pick<
  CommandContext,
  'cwd' | 'model' | 'permissionMode' | 'sessionId' | 'signal'
> & {
  /** The module `ink` that draws: components of another copy do not work. */
  readonly ink: unknown;
  /** The module `react` that `ink` uses. */
  readonly react: unknown;
};

/** Who gets the text of a command: nobody, the person, or the person and with the next prompt the agent. */
export type CommandResultDisplay = 'skip' | 'system' | 'user';

/** Effects of the end of a command that a terminal draws. */
export type LocalJSXCommandEnd = {
  /** `user` if absent. */
  readonly display?: CommandResultDisplay;
  /** True: the agent gets its texts at once, and not with the next prompt. */
  readonly shouldQuery?: boolean;
  /** Texts for the agent that the terminal does not show. */
  readonly metaMessages?: readonly string[];
  /** Text for the line that the person types. */
  readonly nextInput?: string;
  /** True: `nextInput` is sent. */
  readonly submitNextInput?: boolean;
};

/** End a command that a terminal draws, with a text about it. Only the first call counts. */
export type LocalJSXCommandOnDone = (result?: string, options?: LocalJSXCommandEnd) => void;

/** The loaded code of a command that a terminal draws. */
export type LocalJSXCommandModule = {
  /**
   * Carry the command out, and resolve with a node of React. Ink draws it, and has the keys, until `onDone` is called or
   * the person presses Ctrl-C. Nothing is drawn for `null`.
   */
  readonly call: (
    onDone: LocalJSXCommandOnDone,
    context: LocalJSXCommandContext,
    args: string,
  ) => Promise<unknown>;
};

/** Fields of a command that a terminal draws. A run without a terminal refuses it. */
export type LocalJSXCommand = {
  readonly type: 'local-jsx';
  /** Load its code. Called when a person has typed the command. */
  readonly load: () => Promise<LocalJSXCommandModule>;
};

/** A command that only a terminal has. */
export type DrawnCommand = CommandBase & LocalJSXCommand;

/** Fields of a command whose text becomes a prompt. */
export type PromptCommand = {
  readonly type: 'prompt';
  /** Whether the author wrote the description. If not, it is the first line of the text. */
  readonly hasUserSpecifiedDescription: boolean;
  /** When a model should use the command. */
  readonly whenToUse?: string | undefined;
  /** The work on the command, for a terminal: `analyzing your code`. Shown until the turn has ended. */
  readonly progressMessage?: string | undefined;
  /** Version that the author gave. */
  readonly version?: string | undefined;
  /** True: only a person uses the command. */
  readonly disableModelInvocation: boolean;
  /** True: the command needs a person, so `query()` refuses it and does not list it. */
  readonly disableNonInteractive?: boolean | undefined;
  /** False: only a model uses the command. */
  readonly userInvocable: boolean;
  /**
   * The loader: of folders `skills`, of folders `commands`, of plugins, or of the administrator's folders. `bundled`:
   * Troupe or a program has it.
   */
  readonly loadedFrom: 'skills' | 'commands_DEPRECATED' | 'plugin' | 'managed' | 'bundled';
  /** The owner: the user, the project, the administrator, or a plugin. `builtin`: Troupe; `bundled`: a program. */
  readonly source:
    'userSettings' | 'projectSettings' | 'policySettings' | 'plugin' | 'builtin' | 'bundled';
  /** The plugin that has the command. */
  readonly pluginInfo?: Plugin | undefined;
  /** Absolute path of the file. The text below its fields is read when the command is used. Absent for code of a program. */
  readonly file?: string | undefined;
  /** Make the text, in place of a file: it is sent as it is. */
  readonly getPromptForCommand?:
    ((args: string, context: CommandContext) => Promise<readonly TextBlock[]>) | undefined;
  /** True: the line of the person is in the conversation without its arguments. */
  readonly isSensitive?: boolean | undefined;
  /** Folders, after all links, that the file must be in; anywhere if absent. */
  readonly roots?: readonly string[] | undefined;
  /** Folder of a `SKILL.md` and the files beside it, absolute. */
  readonly skillRoot?: string | undefined;
  /** Length of the text, in characters. */
  readonly contentLength: number;
  /** Names of the arguments, in their order, for placeholders such as `$issue`. */
  readonly argNames: readonly string[];
  /** Rules that allow tool calls in the turn that uses the command. */
  readonly allowedTools: readonly string[];
  /** Rules that deny tool calls in the turn that uses the command. */
  readonly disallowedTools: readonly string[];
  /** ID or alias of the model for the rest of the turn; with `fork` of the sub-agent. */
  readonly model?: string | undefined;
  /** How much the model thinks for the rest of the turn; with `fork` in the sub-agent. */
  readonly effort?: Effort | undefined;
  /** `fork`: a sub-agent does the work, and its answer is the result. */
  readonly context: 'inline' | 'fork';
  /** Type of that sub-agent; `general-purpose` if absent. */
  readonly agent?: string | undefined;
  /** True: the tool call of the model does not wait for that sub-agent, and a notification brings its answer. */
  readonly background?: boolean | undefined;
  /** Shell of the commands in the text. */
  readonly shell: 'bash' | 'powershell';
  /** Patterns of the files that the command is for. A model sees the command when it uses such a file; always if empty. */
  readonly paths: readonly string[];
  /** True: the list for the model has the name of the command without its description. */
  readonly isNameOnly?: boolean | undefined;
  /** Folder below that of the session that the command is for, relative to it. Absent for commands of all folders. */
  readonly folder?: string | undefined;
  /** Hooks as in settings: they run from the first use of the command to the end of the session. */
  readonly hooks?: unknown;
  /** Why no command of the text runs: the folder is not trusted, or settings say so. Absent if they run. */
  readonly withoutCommands?: 'untrusted' | 'disabled' | undefined;
};

/** A skill, or a file of a folder `commands`: both work the same way. */
export type Skill = CommandBase & PromptCommand;

/** Fields of a prompt that a program makes. */
export type ProgramPrompt = Partial<
  Pick<
    PromptCommand,
    | 'agent'
    | 'allowedTools'
    | 'argNames'
    | 'background'
    | 'context'
    | 'disableModelInvocation'
    | 'disableNonInteractive'
    | 'disallowedTools'
    | 'effort'
    | 'hooks'
    | 'isSensitive'
    | 'model'
    | 'paths'
    | 'progressMessage'
    | 'skillRoot'
    | 'userInvocable'
    | 'version'
    | 'whenToUse'
  >
> & {
  readonly type: 'prompt';
  /** Make the text of the prompt from the words behind the name of the command. */
  readonly getPromptForCommand: NonNullable<PromptCommand['getPromptForCommand']>;
};

/** A command that a program adds to its sessions. */
export type ProgramCommand = CommandBase & (LocalCommand | ProgramPrompt);

/** A prompt that an MCP server offers as the command `/mcp__server__prompt`. */
export type McpPrompt = CommandBase & {
  readonly type: 'prompt';
  readonly loadedFrom: 'mcp';
  readonly source: 'mcp';
  readonly isMcp: true;
  /** Key of the server in `mcpServers`. */
  readonly serverName: string;
  /** Name of the prompt, as the server has it. */
  readonly promptName: string;
  /** Arguments in their order. */
  readonly args: readonly {
    /** Name of the argument. */
    readonly name: string;
    /** Whether the prompt needs it. */
    readonly required: boolean;
  }[];
};

/** A command of a session or of a terminal, which a person can type after a slash. */
export type Command = (CommandBase & (LocalCommand | LocalJSXCommand)) | Skill | McpPrompt;
