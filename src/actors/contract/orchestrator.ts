import type { z } from 'zod';
import type { Containment } from '../../processes/containment.js';
import type { Approvals } from './approvals.js';
import type { InspectedActor } from './inspected-actor.js';
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
