import {
  createActor,
  initialTransition,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyActorLogic,
} from 'xstate';

/** Steps the actors of a machine, whose effects are only noted. */
export function createRecordingScope(logic: AnyActorLogic) {
  const self = createActor(logic, { id: 'self' });
  const done: unknown[] = [];
  const scope = {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: () => {},
    defer: () => {},
    stopChild: () => {},
    emit: () => {},
    actionExecutor: ({ type, params, info: { context, event } }: Action) =>
      void done.push({ type, params, context, event }),
  };
  const tell = (snapshot: AnyMachineSnapshot): string => {
    const { status, value, context, output, error, tags, children, _nodes: nodes } = snapshot;
    const active = nodes.map(({ id }) => id).toSorted();
    return JSON.stringify([
      { status, value, context, output, error, active },
      [...tags],
      Object.keys(children),
      done,
    ]);
  };
  return {
    /** @returns the first snapshot and the effects, as text */
    start(input: unknown): string {
      const [snapshot, actions] = initialTransition(logic, input); // in a system of its own
      done.length = 0;
      for (const action of actions) scope.actionExecutor(action);
      return tell(snapshot as AnyMachineSnapshot);
    },
    /** @returns the snapshot after the event and the effects, as text */
    step(snapshot: AnyMachineSnapshot, event: AnyEventObject): string {
      done.length = 0;
      const next = logic.transition(snapshot, event, scope) as AnyMachineSnapshot;
      return next === snapshot && done.length === 0 ? 'nothing' : tell(next);
    },
  };
}

type Action = {
  readonly type: string;
  readonly params: unknown;
  readonly info: { readonly context: unknown; readonly event: unknown };
};
