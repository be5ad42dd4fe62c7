import type { Effort } from '../../core/agents/agent-definition.js';
import type { UserBlock } from '../../core/messages.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { ThinkingConfig } from '../../model/model.js';
import type { OutputSchema } from '../../tools/dialogue/structured-output.js';

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

/** A prompt: a text, or blocks. */
export type PromptContent = NonNullable<SessionStart['prompt']>;
