/**
 * What the inspection of xstate tells of one actor: the `InspectionEvent` of xstate is one, with more fields for some
 * types. A function that takes xstate's type fits `inspect`.
 */
export interface InspectionEvent {
  /** `@xstate.actor`, `@xstate.event`, `@xstate.snapshot` and so on. */
  readonly type: string;
  /** ID of the actor system. */
  readonly rootId: string;
  /** The actor: for an event the one that receives it. */
  readonly actorRef: {
    /** ID of the actor in its system; a new actor gets a new one. */
    readonly sessionId: string;
    /** What the actor is doing now, with the state of its machine in `value`. */
    getSnapshot(): unknown;
  };
}
