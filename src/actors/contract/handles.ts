import type { AgentDefinition, Effort } from '../../core/agents/agent-definition.js';
import type { ManualExtractionResult } from '../../context/memory/dream.js';
import type { CompactionReport } from '../../core/agents/compaction.js';
import type { Command, LocalCommandResult, McpPrompt, Skill } from '../../core/commands/command.js';
import type { SessionPlugins } from '../../core/commands/plugin.js';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { AgentId, SessionId, TaskId } from '../../core/ids.js';
import type { UserBlock } from '../../core/messages.js';
import type {
  PermissionMode,
  PermissionUpdate,
  ToolPermissionContext,
} from '../../core/permission-types.js';
import type { Team } from '../../core/tasks/team.js';
import type { MailItem } from '../../journal/readers/read-mail.js';
import type { TaskOutcome, TaskStateBase, TaskStatus } from '../../core/task-types.js';
import type { StepState } from '../../workflow/plan/workflow-types.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { ContextUsage } from './context-usage.js';
import type { RewindFilesOptions, RewoundFiles } from './rewound-files.js';
import type { SessionListeners } from './session-listeners.js';
import type { SessionMessage } from './session-message.js';
import type { MapOptions, SpawnOptions } from './spawn-options.js';
import type { TaskUsage } from './task-usage.js';
import type { WorkflowStart } from './workflow-start.js';

/** Which part of a task's output is read. */
export type TaskOutputOptions = {
  /** Byte to start at; 0 if absent. */
  readonly from?: number;
};

/** A part of a task's output: at most 1 MiB, and no half character. */
export type TaskOutputPart = {
  /** The text from `from` on. */
  readonly text: string;
  /** Byte after the text: `from` of the next read. */
  readonly next: number;
};

/** Facts of a prompt beside its content. */
export type PromptOptions = {
  /** The program's own ID for the prompt, which `replayPrompts` shows. */
  readonly uuid?: string;
};

/** How a session ends. */
export type EndOptions = {
  /** Stop what still runs, instead of waiting for it. */
  readonly now?: boolean;
};

/** A task of any kind. `Result`: what its work returns. */
export interface TaskHandle<Result = unknown> {
  /** For `session.task`, `troupe kill` and `troupe logs`. */
  readonly id: TaskId;
  /** ID of the agent that does the work; undefined for a command. */
  readonly agentId: AgentId | undefined;
  /** Task ids from the session down to this one. */
  readonly path: readonly TaskId[];
  /** Stage of the task; `completed`, `failed` and `killed` are final. */
  readonly status: TaskStatus;
  /** Resolves with the outcome, whatever it is; never rejects. */
  readonly outcome: Promise<TaskOutcome>;
  /** Resolves with what the work returned. @throws TaskFailedError, TaskKilledError */
  readonly result: Promise<Result>;
  /** Resolve when the message is on disk. @throws UnknownRecipientError if the task has ended or has no agent */
  send(text: string): Promise<void>;
  /**
   * Interrupt the turn of its agent: running tool calls are cancelled. A session that stays open and a teammate wait for
   * the next message; another agent fails. A task without an agent is not affected.
   */
  interrupt(): void;
  /** Resolve when the task and everything below it has ended. A second call waits for the same end. */
  kill(reason?: string): Promise<TaskOutcome>;
  /**
   * Move the task to the background: the tool call that waits for it gets a result, and the parent is notified of its
   * end.
   * @returns its ID; nothing if it has ended, or if nothing waits for it
   */
  background(): Promise<readonly TaskId[]>;
  /** Resolve with what the task has written so far, from an offset on. */
  output(options?: TaskOutputOptions): Promise<TaskOutputPart>;
  /** Return the text of the arriving reply of its agent that is in no message yet; empty without such a reply. */
  textSoFar(): string;
  /** Return the tokens and the cost so far, earlier processes of the session included. */
  usage(): TaskUsage;
}

/** A workflow. Its result holds the outputs of its steps, by name. */
export interface WorkflowHandle extends TaskHandle {
  /** The present states of its steps. */
  readonly steps: Readonly<Record<string, StepState>>;
}

/**
 * A session, and its messages from the first one on, kept until they are read. Only one reader is supported. A slow
 * reader's messages wait in a temporary file; while a thousand messages wait, further pieces (`stream_event`,
 * `tool_progress`) are left out, and `messages_left_out` counts them.
 */
export interface SessionHandle<Result = unknown>
  extends TaskHandle<Result>, AsyncIterable<SessionMessage> {
  /** UUID of the session, for `resume`. */
  readonly sessionId: SessionId;
  /** The folder of its journal. */
  readonly directory: string;
  /** Resolve when the hooks of its start have ended. */
  started(): Promise<void>;
  /** Events of the session. */
  readonly events: SessionListeners;
  /** Move one task to the background; without an ID every task that the main agent waits for now. @returns their IDs */
  background(taskId?: string): Promise<readonly TaskId[]>;
  /** Start a sub-agent of the main agent. @throws UsageError, TaskRefusedError */
  spawn(options: SpawnOptions): Promise<TaskHandle<string>>;
  /**
   * Start an agent for each item and resolve with their results, in the order of the items; an item is taken when it is
   * its turn. If one does not complete, the others are killed, and the promise rejects when they have ended.
   *
   * @throws UsageError, the signal's reason, TaskFailedError, TaskKilledError, TaskRefusedError
   *
   * @example
   * const reviews = await session.map(files, (file) => ({ prompt: `Review ${file}.` }), { concurrency: 10 })
   */
  map<T>(
    items: Iterable<T> | AsyncIterable<T>,
    toSpawn: (item: T, index: number) => SpawnOptions | Promise<SpawnOptions>,
    options?: Omit<MapOptions, 'settle'> & {
      /** False, or absent: kill the others at the first failure, and reject. */
      readonly settle?: false;
    },
  ): Promise<readonly string[]>;
  /**
   * Start all agents, whatever fails, and resolve with all outcomes. An agent that was not started has failed with the
   * reason.
   */
  map<T>(
    items: Iterable<T> | AsyncIterable<T>,
    toSpawn: (item: T, index: number) => SpawnOptions | Promise<SpawnOptions>,
    options: Omit<MapOptions, 'settle'> & {
      /** Continue after failures, and resolve with outcomes in place of results. */
      readonly settle: true;
    },
  ): Promise<readonly TaskOutcome[]>;
  /**
   * Start a workflow below the main agent: agents, tools and commands in their order.
   *
   * @throws UsageError if its shape is wrong or there is no run to resume
   * @throws TaskRefusedError for all other problems of the definition
   */
  workflow(start: WorkflowStart): Promise<WorkflowHandle>;
  /** The next user message, unchanged; delivered at the next tool boundary. `replayPrompts` shows it with its `uuid`. */
  prompt(content: string | readonly UserBlock[], options?: PromptOptions): Promise<void>;
  /** The skills and commands of its files; undefined if it was made without, or with `--disable-slash-commands`. */
  skills(): readonly Skill[] | undefined;
  /**
   * Everything that a person can type after a slash in this session: its own commands, those of files that a person may
   * use, and the prompts of connected MCP servers.
   */
  commands(): readonly Command[];
  /**
   * Read plugins, skills, agents, hooks, servers and settings again, and resolve with the plugins when they are in effect.
   * Without effect if a program gave the session its options.
   */
  reloadFiles(): Promise<SessionPlugins>;
  /** The agents that the session can start, built-in ones too. */
  agents(): readonly AgentDefinition[];
  /**
   * Carry out a command of Troupe itself, such as `cost`. Its text is a message `local_command_output`; in an idle session
   * a result follows.
   *
   * @throws UsageError if there is no such command, or it takes no words
   */
  runCommand(name: string, args?: string): Promise<LocalCommandResult>;
  /** The prompts of the connected MCP servers; `useSkill` uses them by `name`. */
  mcpPrompts(): readonly McpPrompt[];
  /**
   * Use a skill as a person who types `/name args`. Resolve when the main agent has the text of the skill, or its
   * sub-agent has started. Several names give the agent the texts of all in one prompt, each with the same arguments.
   *
   * @throws UsageError if there is no such skill, or a command of its text is denied or fails
   */
  useSkill(name: string | readonly string[], args?: string, options?: PromptOptions): Promise<void>;
  /**
   * Replace the conversation of the main agent by a summary: at once if the agent is idle, otherwise before its next
   * request.
   *
   * @param instructions what the summary should heed
   * @throws CompactionFailedError the conversation is as it was
   */
  compact(instructions?: string): Promise<CompactionReport>;
  /**
   * Consolidate the notes about the project in the background: an agent reads the transcripts of earlier sessions, and
   * changes the notes that later ones begin with. Resolves when it has ended; never rejects. It ends with the session.
   */
  dream(): Promise<ManualExtractionResult>;
  /**
   * Give the files that tools have changed since a message the content that they had before it. Files that something else
   * has changed since stay as they are. With `dryRun` nothing changes.
   *
   * @throws UsageError without `enableFileCheckpointing`, or if there is no such message
   */
  rewindFiles(messageId: string, options?: RewindFilesOptions): Promise<RewoundFiles>;
  /** Interrupt the turn of the main agent; the session stays open. */
  interrupt(): void;
  /**
   * End the input: the session ends when the agent has nothing to do. With `now` it ends at once: its turn is
   * interrupted, tasks below it are killed, and no further model request is made.
   */
  end(options?: EndOptions): void;
  /**
   * Change the mode of the session.
   *
   * @throws UsageError for a mode that the session does not have
   */
  setPermissionMode(mode: PermissionMode): void;
  /**
   * Change rules, mode or folders of the session.
   *
   * @throws UsageError for a rule without effect
   */
  updatePermissions(updates: readonly PermissionUpdate[]): void;
  /** The rules, the mode and the added folders of the session at present. */
  permissions(): ToolPermissionContext;
  /** Return the task with this ID, also if it has ended; undefined if the session never had it. */
  task(id: string): TaskHandle | undefined;
  /** Return the live tasks, tasks whose parent has not been notified of their end, and the newest 200 of the others. */
  tasks(): readonly TaskStateBase[];
  /** Every message between its agents, read from the journal, with its recipient and its progress. */
  mail(): readonly MailItem[];
  /** The teams of the session, with their members and to-do items. */
  teams(): readonly Team[];
  /**
   * Set the model of the main agent from its next request on, by ID or alias. Absent: the model that it started with.
   * Agents that run already keep theirs. Rejects if a hook of `PreModelSwitch` refuses the model; without such hooks it is
   * in effect at once.
   *
   * @throws UsageError for an empty name
   */
  setModel(model?: string): Promise<void>;
  /** Like `setModel`; the model's own default if absent. @throws UsageError for a budget that the API refuses */
  setThinking(thinking?: ThinkingConfig): void;
  /** As `setModel`: how much the main agent thinks; the model's own default if absent. @throws UsageError */
  setEffort(effort?: Effort): void;
  /** Context usage of the main agent's conversation. */
  contextUsage(): ContextUsage;
  /** States of its MCP servers. */
  mcpServers(): readonly McpServerStatus[];
}
