import type {
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventFrom,
  InputFrom,
  SnapshotFrom,
} from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { withPreparedSteps } from '../../src/machines/steps/prepared-steps.js';
import { createRecordingScope } from './recording-scope.js';

/** What an exploration found wrong: empty lists are what every machine wants. States are named by their snapshot. */
export type Findings = {
  /** Not final, and no events lead to a final state from there. */
  readonly stuck: readonly string[];
  /** Final, and an event still changes something. */
  readonly restless: readonly string[];
  /** The machine itself crashed. */
  readonly crashed: readonly string[];
  /** What the machine does at an event there is not what it does with prepared steps. */
  readonly differing: readonly string[];
};

type Visited = {
  readonly state: AnyMachineSnapshot;
  readonly transitions: Readonly<
    Record<string, { readonly state: AnyMachineSnapshot; readonly event: AnyEventObject }>
  >;
};

/**
 * Visits every snapshot of one machine that the offered events lead to, and prints how many there are. Children stand
 * still, so an event of a child is to be offered only in snapshots that have the child.
 */
export function explore<M extends AnyStateMachine>(
  name: string,
  machine: M,
  options: {
    readonly input?: InputFrom<M>;
    readonly events: (snapshot: SnapshotFrom<M>) => readonly EventFrom<M>[];
    /** What counts as an end; being done, where absent. */
    readonly isEnd?: (snapshot: SnapshotFrom<M>) => boolean;
  },
): Findings {
  const { input, events, isEnd = ({ status }) => status === 'done' } = options;
  const map = getAdjacencyMap(machine, {
    ...(input === undefined ? {} : { input }),
    // the snapshots of an `AnyStateMachine` are those of `M`
    events: (snapshot) => [...events(snapshot as SnapshotFrom<M>)],
    serializeState: serialize,
  }) as unknown as Readonly<Record<string, Visited>>; // its keys are branded strings
  const nodes = Object.entries(map);
  const transitions = nodes.flatMap(([from, node]) =>
    Object.values(node.transitions).map(({ state }) => ({ from, to: serialize(state) })),
  );
  console.log(`${name}: ${nodes.length} states, ${transitions.length} transitions`);
  const keysWhere = (is: (snapshot: SnapshotFrom<M>) => boolean) =>
    nodes.filter(([, { state }]) => is(state as SnapshotFrom<M>)).map(([key]) => key);
  const ends = new Set(keysWhere(isEnd));
  const ending = reach(ends, transitions);
  return {
    stuck: keysWhere(() => true).filter((key) => !ending.has(key)),
    restless: transitions
      .filter(({ from, to }) => ends.has(from) && to !== from)
      .map(({ from }) => from),
    crashed: keysWhere(({ status }) => status === 'error'),
    differing: findDiffering(machine, input, Object.values(map)),
  };
}

function findDiffering(
  machine: AnyStateMachine,
  input: unknown,
  nodes: readonly Visited[],
): readonly string[] {
  const asXstate = createRecordingScope(machine);
  const prepared = createRecordingScope(withPreparedSteps(machine));
  const first = [asXstate, prepared].map((scope) => scope.start(input));
  if (first[0] !== first[1]) return [`the beginning: ${first.join(' ')}`];
  return nodes.flatMap(({ state, transitions }) =>
    Object.values(transitions)
      .filter(({ event }) => asXstate.step(state, event) !== prepared.step(state, event))
      .map(({ event }) => `${serialize(state)} ${JSON.stringify(event)}`),
  );
}

function serialize({ value, status, context, children }: AnyMachineSnapshot): string {
  return JSON.stringify({ value, status, context, children: Object.keys(children) });
}

/** Everything from where `targets` can be reached. */
function reach(
  targets: Iterable<string>,
  transitions: readonly { readonly from: string; readonly to: string }[],
): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  for (const { from, to } of transitions) sources.set(to, [...(sources.get(to) ?? []), from]);
  const reached = new Set(targets);
  for (const key of reached) for (const from of sources.get(key) ?? []) reached.add(from);
  return reached;
}
