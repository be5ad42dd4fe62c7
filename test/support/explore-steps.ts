import {
  initialTransition,
  transition,
  type AnyStateMachine,
  type EventFrom,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate';

/** One outward action: its name (`to work` for an event to a child), and what it carries. */
export type Outward = readonly [name: string, carried: unknown];

type Action = { readonly type: string; readonly params: unknown };

/** The snapshot after the events, and what the machine did on the way from the last event, or from `since`, on. */
export function play<M extends AnyStateMachine>(
  machine: M,
  input: InputFrom<M> | undefined,
  events: readonly EventFrom<M>[],
  since = Math.max(0, events.length - 1),
): { readonly snapshot: SnapshotFrom<M>; readonly did: readonly Outward[] } {
  // an `AnyStateMachine` does not say which input it takes
  let [snapshot, actions] = initialTransition<AnyStateMachine>(machine, input as undefined);
  const did: Outward[] = [];
  if (events.length === 0) did.push(...(actions as readonly Action[]).map(toOutward));
  for (const [index, event] of events.entries()) {
    [snapshot, actions] = transition<AnyStateMachine>(machine, snapshot, event);
    if (index >= since) did.push(...(actions as readonly Action[]).map(toOutward));
  }
  return { snapshot: snapshot as SnapshotFrom<M>, did };
}

function toOutward({ type, params }: Action): Outward {
  if (type === 'xstate.sendTo') {
    const { targetId, event } = params as { targetId: string; event: unknown };
    return [`to ${targetId}`, event];
  }
  if (type === 'xstate.spawnChild') {
    const { id, input } = params as { id: string; input: unknown };
    return [`spawn ${id}`, input];
  }
  return type === 'xstate.stopChild'
    ? [`stop ${(params as { id: string }).id}`, undefined]
    : [type, params];
}
