import type { Effort } from '../../core/agents/agent-definition.js';
import type { UserBlock } from '../../core/messages.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { OutputSchema } from '../../tools/dialogue/structured-output.js';

/**
 * Options of one session that `query()` takes under the same name, and that a flag of the command may set. A new one is
 * here, in the schema of the session, and in the table of flags.
 */
export type SharedOptions = {
  /** A UUID for the new session; a random one if absent. */
  readonly sessionId?: string;
  /** Most model requests of the main agent for one prompt. */
  readonly maxTurns?: number;
  /** Most US dollars that all its agents together may cost, over its whole life, earlier processes included. */
  readonly maxBudgetUsd?: number;
  /** Name for people: one line. A resumed session is renamed. */
  readonly title?: string;
  /** Send replies while they stream, as `stream_event` messages. */
  readonly includePartialMessages?: boolean;
  /** Report the start and the end of each hook, as `hook_started` and `hook_response` messages. */
  readonly includeHookEvents?: boolean;
  /** False: messages of sub-agents have only tool calls and their results. */
  readonly forwardSubagentText?: boolean;
  /**
   * Keep the files that Edit, MultiEdit, Write and NotebookEdit change as they were before, for `rewindFiles`. Changes by
   * commands are not covered. False if absent; a session at a terminal keeps them.
   */
  readonly enableFileCheckpointing?: boolean;
};

/** Options of one session. All are optional. */
export type SessionStart = SharedOptions & {
  /** The first user message, unchanged. Without one the session waits for {@link SessionHandle.prompt}. */
  readonly prompt?: string | readonly UserBlock[];
  /** Name of the agent definition for the main agent. */
  readonly agent?: string;
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
  /** Limits of the session in all units; those of the main agent's definition if absent. */
  readonly taskBudget?: TaskBudget;
  /** Replaces the system prompt of the main agent; its sub-agents keep theirs. Only for a new session. */
  readonly systemPrompt?: string;
  /** Added behind the system prompt of the main agent. Only for a new session. */
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
  /** Send the prompts too, when the main agent takes them. */
  readonly replayPrompts?: boolean;
  /** Run the hooks of `Setup` before those of `SessionStart`, with this trigger. */
  readonly setup?: 'init' | 'maintenance';
  /** Stay open for more prompts until `end` is called. */
  readonly staysOpen?: boolean;
  /**
   * True: the model does not wait for a skill with `context: fork`, unless the skill has `background: false` or its
   * earlier use still runs. For a session with a person, who continues meanwhile. False if absent.
   */
  readonly backgroundsSkills?: boolean;
  /**
   * The effect of `permissionDecision: 'defer'` of a `PreToolUse` hook on the only tool call of a reply of the main agent.
   * `end`: the session ends, its result has `deferred_tool_use`, and a resume continues the call. `ask`, the default: the
   * call becomes a permission request. `ignore`: only a warning. The command with `-p` and `query()` use `end`.
   */
  readonly onDefer?: OnDefer;
  /**
   * The main agent makes no model requests: the session only hosts agents and workflows that the program starts. Not
   * together with `prompt`. A key is needed only when an agent below makes a model request.
   */
  readonly hostsOnly?: boolean;
  /** End the session when it aborts. */
  readonly signal?: AbortSignal;
};

/** The effect of a hook's `defer`. */
export type OnDefer = 'end' | 'ask' | 'ignore';

/** A prompt: a text, or blocks. */
export type PromptContent = NonNullable<SessionStart['prompt']>;
