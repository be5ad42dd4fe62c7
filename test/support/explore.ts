import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  EventFrom,
  InputFrom,
  SnapshotFrom,
} from 'xstate';
import { withPreparedSteps } from '../../src/machines/steps/prepared-steps.js';
import { createRecordingScope } from './recording-scope.js';

/** The findings of an exploration: every machine wants empty lists. States are named by their snapshot. */
export type Findings = {
  /** Not final, and no events lead to a final state from there. */
  readonly stuck: readonly string[];
  /** Final, and an event still changes something. */
  readonly restless: readonly string[];
  /** The machine itself crashed. */
  readonly crashed: readonly string[];
  /** The machine does one thing at an event there, and another with prepared steps. */
  readonly differing: readonly string[];
  /** The context has more than 16 keys: larger objects are slow to copy and to read. */
  readonly wide: readonly string[];
};

const MOST_KEYS = 16;

type Transition = { readonly from: string; readonly to: string };

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
    /** The condition of an end; being done, if absent. */
    readonly isEnd?: (snapshot: SnapshotFrom<M>) => boolean;
  },
): Findings {
  const { input, events, isEnd = ({ status }) => status === 'done' } = options;
  const serialize = createSerializer();
  const asXstate = createRecordingScope(machine);
  const prepared = createRecordingScope(withPreparedSteps(machine));
  const first = asXstate.start(input);
  const begin = prepared.start(input);
  const differing = first.text === begin.text ? [] : [`the beginning: ${first.text} ${begin.text}`];
  const states = new Map([[serialize(first.snapshot), first.snapshot]]);
  const transitions: Transition[] = [];
  for (const [from, state] of states)
    for (const event of events(state as SnapshotFrom<M>)) {
      const next = asXstate.step(state, event);
      if (next.text !== prepared.step(state, event).text)
        differing.push(`${from} ${JSON.stringify(event)}`);
      const to = serialize(next.snapshot);
      transitions.push({ from, to });
      if (!states.has(to)) states.set(to, next.snapshot);
    }
  console.log(`${name}: ${states.size} states, ${transitions.length} transitions`);
  const keysWhere = (is: (snapshot: SnapshotFrom<M>) => boolean) =>
    [...states].filter(([, state]) => is(state as SnapshotFrom<M>)).map(([key]) => key);
  const ends = new Set(keysWhere(isEnd));
  const ending = reach(ends, transitions);
  return {
    stuck: keysWhere(() => true).filter((key) => !ending.has(key)),
    restless: transitions
      .filter(({ from, to }) => ends.has(from) && to !== from)
      .map(({ from }) => from),
    crashed: keysWhere(({ status }) => status === 'error'),
    differing,
    wide: keysWhere(({ context }) => Object.keys(context as object).length > MOST_KEYS),
  };
}

/** An event that changes nothing leads to the same snapshot. */
function createSerializer(): (snapshot: AnyMachineSnapshot) => string {
  const known = new WeakMap<AnyMachineSnapshot, string>();
  return (snapshot) => {
    const { value, status, context, children } = snapshot;
    const text =
      known.get(snapshot) ??
      JSON.stringify({ value, status, context, children: Object.keys(children) });
    known.set(snapshot, text);
    return text;
  };
}

/** Everything from where `targets` can be reached. */
function reach(targets: Iterable<string>, transitions: readonly Transition[]): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  for (const { from, to } of transitions) {
    const known = sources.get(to) ?? [];
    known.push(from);
    sources.set(to, known);
  }
  const reached = new Set(targets);
  for (const key of reached) for (const from of sources.get(key) ?? []) reached.add(from);
  return reached;
}
