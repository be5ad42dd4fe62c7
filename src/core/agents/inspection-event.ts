/**
 * An event of one actor, as the inspection of xstate emits it. The `InspectionEvent` of xstate has more fields for some
 * types, so a function that takes xstate's type fits `inspect`.
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
    /** Return the state of the actor; `value` is the state of its machine. */
    getSnapshot(): unknown;
  };
}
