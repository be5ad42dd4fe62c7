import type { z } from 'zod';
import type { Containment } from '../../processes/start/containment.js';
import type { Approvals } from './approvals.js';
import type { InspectedActor } from './inspected-actor.js';
import type { McpControl } from './mcp-control.js';
import type { SessionStart } from './session-start.js';
import type { SessionHandle, TaskHandle } from './handles.js';

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
   * Start a session. Its result is the answer, parsed by the zod schema `outputSchema`, or without a schema the text of
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
      /** The schema parses the answer into the result. */
      readonly outputSchema: Schema;
    },
  ): SessionHandle<z.output<Schema>>;
  /** Start a session whose result is the text of the last reply. */
  session(start?: TextStart): SessionHandle<string>;
  /** With a JSON schema, or resumed, the result may be any object. */
  session(start: SessionStart): SessionHandle;
  /** Permission requests that wait, and their approvers. */
  readonly approvals: Approvals;
  /** Changes of the MCP servers while sessions run. */
  readonly mcp: McpControl;
  /** Return the tree of live actors, as it is now. */
  inspect(): InspectedActor;
  /** A task of any of its sessions. */
  task(id: string): TaskHandle | undefined;
  /** Resolve with the mechanism that finds and kills the processes of tools. */
  containment(): Promise<Containment>;
  /**
   * Resolve when its servers have connected or failed.
   * @throws UsageError if `permissionPromptTool` is not one of their tools
   */
  ready(): Promise<void>;
  /** End every session, wait until no process is left, and close the journals. */
  close(reason?: string): Promise<void>;
}
