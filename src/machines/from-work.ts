import type { ActorLogic, AnyActorRef, Snapshot } from 'xstate';
import type { Failure } from '../core/failure.js';
import type { WorkOutcome } from '../core/task-types.js';

type WorkEvent =
  | { type: 'work.stop'; reason: string }
  | { type: 'work.force' }
  | { type: 'work.settled'; outcome: WorkOutcome };

export type WorkSnapshot<Input> = Snapshot<WorkOutcome> & {
  readonly input: Input;
  readonly stopReason: string | undefined;
};
export type WorkLogic<Input> = ActorLogic<WorkSnapshot<Input>, WorkEvent, Input>;

export const FORCED: Failure = { code: 'FORCED', message: 'The work did not stop in time.' };

/**
 * Make actor logic of an async function that cleans up after itself. `work.stop` aborts the signal of the function, and
 * the actor settles when the function has. `work.force` settles the actor at once. The actor always ends `done`, with a
 * {@link WorkOutcome}: an actor with the status `error` is a bug. A snapshot that was persisted while stopping ends
 * without calling `run`. Unknown events are ignored.
 */
export function fromWork<Input>(
  run: (scope: { input: Input; signal: AbortSignal }) => Promise<unknown>,
  toFailure: (error: unknown) => Failure,
): WorkLogic<Input> {
  const controllers = new WeakMap<AnyActorRef, AbortController>();
  return {
    getInitialSnapshot: (_, input) => ({
      status: 'active',
      output: undefined,
      error: undefined,
      input,
      stopReason: undefined,
    }),
    transition(snapshot, event, { self }) {
      if (snapshot.status !== 'active') return snapshot;
      switch (event.type) {
        case 'work.stop':
          controllers.get(self)?.abort(event.reason);
          return { ...snapshot, stopReason: snapshot.stopReason ?? event.reason };
        case 'work.force':
          controllers.get(self)?.abort('forced');
          return settled(snapshot, { status: 'failed', failure: FORCED });
        case 'work.settled':
          return settled(snapshot, event.outcome);
        default:
          // stopped by its parent without `work.stop`: a bug there, but no work may stay running
          if (isStop(event)) {
            controllers.get(self)?.abort('forced');
            controllers.delete(self);
          }
          return snapshot;
      }
    },
    start(snapshot, { self }) {
      if (snapshot.status !== 'active') return;
      const controller = new AbortController();
      controllers.set(self, controller);
      if (snapshot.stopReason !== undefined) controller.abort(snapshot.stopReason);
      const settle = (outcome: WorkOutcome) => {
        const isWaited = controllers.has(self) && self.getSnapshot().status === 'active';
        if (isWaited) self.send({ type: 'work.settled', outcome });
      };
      void Promise.resolve()
        .then(() => {
          controller.signal.throwIfAborted(); // a stop in the same tick as the start
          return run({ input: snapshot.input, signal: controller.signal });
        })
        .then(
          (result) => settle({ status: 'completed', result }),
          (error: unknown) => settle({ status: 'failed', failure: toFailure(error) }),
        );
    },
    getPersistedSnapshot: (snapshot) => snapshot,
    restoreSnapshot: (snapshot) => snapshot as WorkSnapshot<Input>, // persisted by the line above
  };
}

function settled<Input>(snapshot: WorkSnapshot<Input>, output: WorkOutcome): WorkSnapshot<Input> {
  const { input, stopReason } = snapshot;
  return { status: 'done', output, error: undefined, input, stopReason };
}

function isStop(event: { readonly type: string }): boolean {
  return event.type === 'xstate.stop';
}
