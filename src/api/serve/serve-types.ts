/** The contract between agents that are served and the protocols that serve them. */
import { z } from 'zod';
import { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import { strictObject } from '../../core/text/strict-object.js';
import { TaskBudget } from '../../core/tasks/task-budget.js';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionRequest } from '../../core/events.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { TaskStatus } from '../../core/task-types.js';
import type { TaskOutputPart } from '../../actors/contract/handles.js';
import type { InspectedActor } from '../../actors/contract/inspected-actor.js';
import type { Orchestrator } from '../../actors/contract/orchestrator.js';
import type { SessionMessage } from '../../actors/contract/session-message.js';
import type { SessionStart } from '../../actors/contract/session-start.js';

const filled = z.string().regex(/\S/, 'it is empty');

/** The wishes of a client for a new agent. */
export const SpawnRequest = strictObject({
  prompt: filled.describe('The first message of the agent'),
  below: filled
    .optional()
    .describe('ID of a running session: the new agent is a sub-agent of its main agent'),
  agent: filled
    .optional()
    .describe('Type of the agent: the name of an agent definition; the default agent if absent'),
  title: filled.optional().describe('The work in a few words, for people'),
  model: filled.optional().describe('ID or alias of a model; the model of the server if absent'),
  mode: z
    .enum(CHOOSABLE_PERMISSION_MODES)
    .optional()
    .describe("Permission mode, never laxer than the server's"),
  tools: z
    .array(filled)
    .optional()
    .describe('Built-in tools that the agent may have; those of the server if absent'),
  cwd: filled
    .optional()
    .describe('Folder to work in, in a folder of the server; the folder of the server if absent'),
  budget: TaskBudget.optional().describe('Limits of the agent and everything below it'),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** A folder with the orchestrator of its sessions. */
export type OpenedFolder = {
  readonly orchestrator: Orchestrator;
  /** The choices of the server for each session. */
  readonly start: SessionStart;
  /** The mode of the server in this folder: the laxest mode of a session. */
  readonly mode: PermissionMode;
};

/** Settings of a server of agents. */
export type ServedOptions = {
  /** Folder of agents whose client names no other; absolute. */
  readonly cwd: string;
  /** Folders that agents may work in, with the folders in them; absolute. */
  readonly folders: readonly string[];
  /** Built-in tools of the server; all if absent. */
  readonly tools?: readonly string[] | undefined;
  /** The most that one session may cost. */
  readonly maxBudgetUsd?: number | undefined;
  /**
   * Open an orchestrator, with the settings that the command has in this folder.
   *
   * @throws UsageError
   */
  open(place: {
    readonly cwd: string;
    readonly tools: readonly string[] | undefined;
  }): Promise<OpenedFolder>;
  /** Make a function that describes the messages of one session in lines for people. */
  describe(): (message: SessionMessage) => readonly string[];
};

/** An agent as its clients see it. */
export type AgentState = {
  /** ID for all further calls: of the session, or of the task of a sub-agent. */
  readonly id: string;
  /** `session` or `sub-agent`. */
  readonly kind: 'session' | 'sub-agent';
  readonly title: string;
  readonly status: TaskStatus;
  /** The answer: a text, or an object. Only if it completed. */
  readonly result?: unknown;
  /** Why it failed or was killed. */
  readonly error?: string;
  /** IDs of the permission requests and questions that it or an agent below it waits for. */
  readonly waitsFor: readonly string[];
  /** US dollars so far, with everything below it; null if a price is not known. */
  readonly costUsd: number | null;
};

/** A program that uses the served agents. */
export interface ServedClient {
  /** Name of the client in the audit of decisions. */
  readonly name: string;
  /** A request of an agent of this client. The signal aborts when it needs no decision any more. */
  onRequest?(request: PermissionRequest, id: string, signal: AbortSignal): void;
}

/** How long a client follows an agent. */
export type FollowOptions = {
  /** Stop following. The agent continues. */
  readonly signal: AbortSignal;
  /** Whether to stop following, at each change of the agent. It is over in any case when the agent has ended. */
  readonly until: (state: AgentState) => boolean;
  /** Gets lines about the work of the session. */
  readonly onLine: (line: string) => void;
};

/**
 * Agents that clients start, follow and end. An agent belongs to the client that spawned it and ends with it. Requests of
 * agents are decided exactly once, by any client; while no client is attached, they are denied.
 */
export interface ServedAgents {
  /** Attach a client. @returns a function that detaches it and resolves when its agents have ended */
  attach(client: ServedClient): () => Promise<void>;
  /**
   * Start an agent for a client.
   *
   * @param signal nothing starts if it has aborted
   * @throws UsageError, TaskRefusedError, the signal's reason
   */
  spawn(request: SpawnRequest, client: ServedClient, signal?: AbortSignal): Promise<AgentState>;
  /** Put a message into the mailbox of an agent; a session that has ended is resumed with it. @throws UsageError */
  send(id: string, text: string, client: ServedClient): Promise<AgentState>;
  /** @throws UsageError for an unknown ID */
  state(id: string): AgentState;
  /** All agents that were spawned, oldest first; those that ended, up to 200. */
  states(): readonly AgentState[];
  /** The trees of live actors, one for each folder. */
  trees(): readonly InspectedActor[];
  /** @throws UsageError for an unknown ID */
  output(id: string, from: number): Promise<TaskOutputPart>;
  /** Resolve when the agent has ended with everything below it. @throws UsageError for an unknown ID */
  kill(id: string, reason: string): Promise<AgentState>;
  /** Resolve when the agent has ended, or at another reason of the options. @throws UsageError for an unknown ID */
  follow(id: string, options: FollowOptions): Promise<AgentState>;
  /** Pending permission requests and questions, oldest first. */
  requests(): readonly PermissionRequest[];
  /** ID of the agent whose client spawned it, for a request of an agent below it. */
  ownerOf(request: PermissionRequest): string | undefined;
  /** @throws UsageError if it is no decision */
  decide(requestId: string, answer: PermissionAnswer, by: string): Promise<AnswerReceipt>;
  /** End all agents, and wait until no process is left. */
  close(reason: string): Promise<void>;
}
