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
  // children never end here, so the second one of a name would be refused
  Object.assign(self.system, { _set: () => {} });
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
    /** The first snapshot, and it with the effects as text. */
    start(input: unknown): Step {
      const [first, actions] = initialTransition(logic, input); // in its own system
      const snapshot = first as AnyMachineSnapshot;
      done.length = 0;
      for (const action of actions) scope.actionExecutor(action);
      return { snapshot, text: tell(snapshot) };
    },
    /** The snapshot after the event, and it with the effects as text. */
    step(snapshot: AnyMachineSnapshot, event: AnyEventObject): Step {
      done.length = 0;
      const next = logic.transition(snapshot, event, scope) as AnyMachineSnapshot;
      const isNothing = next === snapshot && done.length === 0;
      return { snapshot: next, text: isNothing ? 'nothing' : tell(next) };
    },
  };
}

type Step = { readonly snapshot: AnyMachineSnapshot; readonly text: string };

type Action = {
  readonly type: string;
  readonly params: unknown;
  readonly info: { readonly context: unknown; readonly event: unknown };
};
