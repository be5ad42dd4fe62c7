import type { z } from 'zod';
import type { CompactionReport } from '../../core/agents/compaction.js';
import type { Effort } from '../../core/agents/agent-definition.js';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { AgentId, SessionId, TaskId } from '../../core/ids.js';
import type { UserBlock } from '../../core/messages.js';
import type { PermissionMode, PermissionUpdate } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { Team } from '../../core/tasks/team.js';
import type { MailItem } from '../../journal/read-mail.js';
import type { TaskOutcome, TaskStateBase, TaskStatus } from '../../core/task-types.js';
import type { StepState } from '../../workflow/plan/workflow-types.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { OutputSchema } from '../../tools/dialogue/structured-output.js';
import type { Containment } from '../../processes/containment.js';
import type { Approvals } from './approvals.js';
import type { ContextUsage } from './context-usage.js';
import type { InspectedActor } from './inspected-actor.js';
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

/** Options of one session. All are optional. */
export type SessionStart = {
  /** The first user message, unchanged. Without one the session waits for {@link SessionHandle.prompt}. */
  readonly prompt?: string | readonly UserBlock[];
  /** Name of the agent definition that plays the session's own agent. */
  readonly agent?: string;
  /** A UUID for the new session; a random one if absent. */
  readonly sessionId?: string;
  /** ID of a session to resume: the same conversation, from its journal, in the same folder. */
  readonly resume?: string;
  /** Resume the newest session of the orchestrator's folder. */
  readonly continues?: boolean;
  /** With `resume` or `continues`: work on a copy of the session, which gets a new ID. */
  readonly forks?: boolean;
  /** ID or alias of the model. If absent: a resumed session keeps its own; a new one uses the orchestrator's. */
  readonly modelName?: string;
  /** Models for when the model is overloaded; those of the orchestrator if absent. */
  readonly fallbackModel?: string | readonly string[];
  /**
   * Permission mode; the same default as `modelName`. A resumed session does not return to a mode that is not
   * available.
   */
  readonly permissionMode?: PermissionMode;
  /** Requests of the session's own agent for one prompt. */
  readonly maxTurns?: number;
  /** US dollars that all its agents together may cost, over its whole life: what earlier processes used counts. */
  readonly maxBudgetUsd?: number;
  /** Limits of the session in all units; those of the main agent's definition if absent. */
  readonly taskBudget?: TaskBudget;
  /** In place of the prompt of the session's own agent; its sub-agents keep theirs. Of a new session only. */
  readonly systemPrompt?: string;
  /** After the prompt of the session's own agent. Of a new session only. */
  readonly appendSystemPrompt?: string;
  /**
   * How much models think, for agents whose definition does not say. If absent: a resumed session keeps its own; a new
   * one uses the default of the model.
   */
  readonly effort?: Effort;
  /** Whether and how much all agents think; the default of the model if absent. */
  readonly thinking?: ThinkingConfig;
  /**
   * A zod schema or a JSON schema of an object: the result satisfies it. A zod schema also parses the result, so its
   * transforms must be pure; `outcome` and the messages have the JSON. A resumed session keeps its schema, and parses only
   * if the zod schema is given again.
   */
  readonly outputSchema?: OutputSchema;
  /** Name for people: one line. A resumed session is renamed. */
  readonly title?: string;
  /** Tells replies while they come, as `stream_event` messages. */
  readonly includePartialMessages?: boolean;
  /** Tells the prompts too, when the session's own agent takes them. */
  readonly replayPrompts?: boolean;
  /** False: messages of sub-agents have only tool calls and their results. */
  readonly forwardSubagentText?: boolean;
  /** Stays for more `send` when it has nothing to do, until `end`. */
  readonly staysOpen?: boolean;
  /**
   * The main agent makes no model requests: the session only hosts agents and workflows that the program starts. Not
   * together with `prompt`. A key is needed only when an agent below makes a model request.
   */
  readonly hostsOnly?: boolean;
  /** Ends the session when it aborts. */
  readonly signal?: AbortSignal;
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
  /** Resolves when the message is on disk. @throws UnknownRecipientError where the task has ended or has no agent */
  send(text: string): Promise<void>;
  /** Resolves when the task and everything below it has ended. A second call waits for the same end. */
  kill(reason?: string): Promise<TaskOutcome>;
  /**
   * Move the task to the background: the tool call that waits for it gets a result, and the parent is notified of its
   * end.
   * @returns its id; nothing where it has ended, or nobody waits for it
   */
  background(): Promise<readonly TaskId[]>;
  /** Resolve with what the task has written so far, from an offset on. */
  output(options?: TaskOutputOptions): Promise<TaskOutputPart>;
  /** Return the tokens and the cost so far, earlier processes of the session included. */
  usage(): TaskUsage;
}

/** A workflow. Its result has what its tasks have put out, by name. */
export interface WorkflowHandle extends TaskHandle {
  /** How its tasks stand. */
  readonly steps: Readonly<Record<string, StepState>>;
}

/**
 * A session, and its messages from the first on, kept until they are read. They are for one reader; what a slow one has not
 * read yet waits in a temporary file, and of pieces (`stream_event`, `tool_progress`) those that come while a thousand
 * messages wait are left out: `messages_left_out` says how many.
 */
export interface SessionHandle<Result = unknown>
  extends TaskHandle<Result>, AsyncIterable<SessionMessage> {
  /** UUID of the session, for `resume`. */
  readonly sessionId: SessionId;
  /** The folder of its journal. */
  readonly directory: string;
  /** Everything that happens in it. */
  readonly events: SessionListeners;
  /** Sends one task to the background; without an id whatever the session's own agent waits for now. @returns their ids */
  background(taskId?: string): Promise<readonly TaskId[]>;
  /** Starts an agent below the session's own. @throws UsageError, TaskRefusedError */
  spawn(options: SpawnOptions): Promise<TaskHandle<string>>;
  /**
   * Starts an agent for each item and resolves with what they return, in the order of the items; an item is taken when it is
   * its turn. At the first that does not complete the others are killed, and it rejects when they have ended.
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
  /** The same to the end, whatever fails: resolves with all outcomes. One that was not started has failed with the reason. */
  map<T>(
    items: Iterable<T> | AsyncIterable<T>,
    toSpawn: (item: T, index: number) => SpawnOptions | Promise<SpawnOptions>,
    options: Omit<MapOptions, 'settle'> & {
      /** Go on after failures, and resolve with outcomes in place of results. */
      readonly settle: true;
    },
  ): Promise<readonly TaskOutcome[]>;
  /**
   * Starts tasks in their order below the session's own agent: agents, tools and commands.
   *
   * @throws UsageError where its shape is wrong or there is nothing to go on with
   * @throws TaskRefusedError that says all else that is wrong with it
   */
  workflow(start: WorkflowStart): Promise<WorkflowHandle>;
  /** The next user message, unchanged; delivered at the next tool boundary. `replayPrompts` shows it with its `uuid`. */
  prompt(content: string | readonly UserBlock[], options?: PromptOptions): Promise<void>;
  /**
   * Replace the conversation of the main agent by a summary: at once if the agent is idle, otherwise before its next
   * request.
   *
   * @param instructions what the summary should heed
   * @throws CompactionFailedError the conversation is as it was
   */
  compact(instructions?: string): Promise<CompactionReport>;
  /** Stops what the session's own agent does now; it stays. */
  interrupt(): void;
  /** No more input will come: it ends when it has nothing to do. */
  end(): void;
  /**
   * Change the mode of the session.
   *
   * @throws UsageError for a mode that the session does not have
   */
  setPermissionMode(mode: PermissionMode): void;
  /**
   * Change rules, mode or folders of the session.
   *
   * @throws UsageError for a rule that does nothing
   */
  updatePermissions(updates: readonly PermissionUpdate[]): void;
  /** Return the task with this ID, also if it has ended; undefined if the session never had it. */
  task(id: string): TaskHandle | undefined;
  /** Return the live tasks, tasks whose parent has not been notified of their end, and the newest 200 of the others. */
  tasks(): readonly TaskStateBase[];
  /** Every message of its agents, read off the journal: to whom it went, and how far it has come. */
  mail(): readonly MailItem[];
  /** The teams that there are, with their members and tasks. */
  teams(): readonly Team[];
  /**
   * Set the model of the main agent from its next request on, by ID or alias. Absent: the model that it started with.
   * Agents that run already keep theirs.
   */
  setModel(model?: string): void;
  /** As `setModel`; the model's own default if absent. @throws UsageError for a budget that the API refuses */
  setThinking(thinking?: ThinkingConfig): void;
  /** How full the conversation of the session's own agent is. */
  contextUsage(): ContextUsage;
  /** How its MCP servers stand. */
  mcpServers(): readonly McpServerStatus[];
}

/** A new session without a schema: a resumed one may have kept a schema. */
type TextStart = Omit<SessionStart, 'outputSchema' | 'resume' | 'continues'> & {
  /** Absent: the result is a text. */
  readonly outputSchema?: never;
  /** Absent: a resumed session may have a schema, so its result is unknown. */
  readonly resume?: never;
  /** Absent or false, for the same reason as `resume`. */
  readonly continues?: false;
};

/** Sessions of agents, with their processes and journals: what `createOrchestrator` returns. */
export interface Orchestrator {
  /**
   * Starts a session. Its result is what the zod schema `outputSchema` makes of the answer, or without a schema the text of
   * the last reply.
   *
   * @throws UsageError
   *
   * @example
   * const session = troupe.session({ prompt: 'How many tests fail?', outputSchema: z.object({ count: z.int() }) })
   * const { count } = await session.result
   */
  session<Schema extends z.ZodType>(
    start: SessionStart & {
      /** The result is what this schema makes of the answer. */
      readonly outputSchema: Schema;
    },
  ): SessionHandle<z.output<Schema>>;
  /** Starts a session whose result is the text of the last reply. */
  session(start?: TextStart): SessionHandle<string>;
  /** With a JSON schema, or resumed, the result may be any object. */
  session(start: SessionStart): SessionHandle;
  /** Permission requests that wait, and who decides them. */
  readonly approvals: Approvals;
  /** Return the tree of live actors, as it is now. */
  inspect(): InspectedActor;
  /** A task of any of its sessions. */
  task(id: string): TaskHandle | undefined;
  /** Resolve with what holds the processes of tools: how they are found and killed. */
  containment(): Promise<Containment>;
  /**
   * Resolves when its servers have connected or failed.
   * @throws UsageError where `permissionPromptTool` is none of their tools
   */
  ready(): Promise<void>;
  /** Ends every session, waits until no process is left, and closes the journals. */
  close(reason?: string): Promise<void>;
}
