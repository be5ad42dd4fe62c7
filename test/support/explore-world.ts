import {
  initialTransition,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from 'xstate';

/** The next snapshot of an instance after an event, and its deeds: xstate's `transition`, or a memory of it. */
export type Step = (
  node: AnyMachineSnapshot,
  event: EventObject,
) => readonly [AnyMachineSnapshot, readonly Deed[]];

/** An effect of a machine, besides events to its children and its parent. */
export type Deed = { readonly type: string; readonly params: unknown };

/** Events that come next on an edge; if there are several, each is tried. */
type Alternatives = readonly EventObject[];

/** One moment: the snapshot of each instance, the events under way on each edge, and the notes so far. */
export type World = {
  readonly nodes: Readonly<Record<string, AnyMachineSnapshot>>;
  readonly edges: Readonly<Record<string, readonly Alternatives[]>>;
  readonly notes: Readonly<Record<string, unknown>>;
};

/** The parameters of xstate's own actions. */
type OwnParams = {
  readonly id: string;
  readonly src: string;
  readonly input: unknown;
  readonly targetId: string;
  readonly event: EventObject;
};

/** A world that is being made. An edge is named `from>to`; nodes are named by their path of local ids. */
export type Draft = {
  readonly nodes: Record<string, AnyMachineSnapshot>;
  readonly edges: Record<string, readonly Alternatives[]>;
  readonly notes: Record<string, unknown>;
  readonly send: (from: string, to: string, ...items: readonly Alternatives[]) => void;
};

export type Product = {
  /** The instances at the start, and the events from outside. */
  readonly begin: (
    create: (path: string, machine: AnyStateMachine, input: unknown) => void,
  ) => void;
  readonly external: readonly (readonly [from: string, to: string, ...events: EventObject[]])[];
  /** The machine of a child that is spawned or invoked as `src`. */
  readonly machineOf: (src: string, path: string) => AnyStateMachine;
  /** In place of the input that a child is given; the same if absent. */
  readonly inputOf?: (path: string, input: unknown) => unknown;
  /** Edges whose events arrive within the step that sends them, as between actors of one process; absent: no edge. */
  readonly isAtOnce?: (from: string) => boolean;
  /** Plays the effects: what a deed leads to, and what is noted of it. */
  readonly perform: (draft: Draft, path: string, deed: Deed) => void;
  /** The problem of a world; undefined if all is well. `isEnd`: nothing is under way any more. */
  readonly judge: (world: World, isEnd: boolean) => string | undefined;
};

/** The world before anything was delivered. */
export function startProduct(product: Product): World {
  const draft = draftOf({ nodes: {}, edges: {}, notes: {} });
  product.begin((path, machine, input) => create(product, draft, path, machine, input));
  for (const [from, to, ...events] of product.external)
    draft.send(from, to, ...events.map((event) => [event]));
  return draft;
}

/** The edges on which something can come next: what is for an instance that is still to come waits. */
export function deliverable({ nodes, edges }: World, { isAtOnce }: Product): readonly string[] {
  const next = Object.keys(edges).filter((edge) => targetOf(edge) in nodes);
  const first = next.filter((edge) => isAtOnce?.(edge.slice(0, edge.indexOf('>'))) === true);
  return first.length > 0 ? first : next;
}

/** The world after the first of `edge` was delivered as `event`. */
export function deliver(
  product: Product,
  world: World,
  edge: string,
  event: EventObject,
  step: Step,
): World {
  const draft = draftOf(world);
  const path = targetOf(edge);
  const rest = (world.edges[edge] ?? []).slice(1);
  if (rest.length === 0) delete draft.edges[edge];
  else draft.edges[edge] = rest;
  const node = draft.nodes[path];
  if (node?.status !== 'active') return draft; // nobody is there any more
  settle(product, draft, path, step(node, event));
  return draft;
}

function targetOf(edge: string): string {
  return edge.slice(edge.indexOf('>') + 1);
}

function create(
  product: Product,
  draft: Draft,
  path: string,
  machine: AnyStateMachine,
  input: unknown,
): void {
  // an `AnyStateMachine` does not say which input it takes
  settle(product, draft, path, initialTransition(machine, input as undefined));
}

/** Enters the outcome of a transition into the world: what it said, did, spawned, and whether it ended. */
function settle(
  product: Product,
  draft: Draft,
  path: string,
  [snapshot, actions]: readonly [AnyMachineSnapshot, readonly Deed[]],
): void {
  draft.nodes[path] = snapshot;
  const slash = path.lastIndexOf('/');
  const parent = path.slice(0, Math.max(0, slash));
  for (const { type, params } of actions) {
    const it = params as OwnParams; // used only if the action is xstate's own
    if (type === 'xstate.sendTo') draft.send(path, `${path}/${it.targetId}`, [it.event]);
    else if (type === 'xstate.spawnChild')
      create(
        product,
        draft,
        `${path}/${it.id}`,
        product.machineOf(it.src, `${path}/${it.id}`),
        product.inputOf === undefined ? it.input : product.inputOf(`${path}/${it.id}`, it.input),
      );
    else if (type === 'xstate.stopChild') tearOff(draft, `${path}/${it.id}`);
    else product.perform(draft, path, { type, params });
    if (type === 'tellParent' && parent !== '') draft.send(path, parent, [params as EventObject]);
  }
  if (snapshot.status !== 'done') return;
  for (const child of Object.keys(draft.nodes))
    if (child.startsWith(`${path}/`)) tearOff(draft, child);
  const actorId = path.slice(slash + 1);
  const { output } = snapshot;
  if (parent !== '')
    draft.send(path, parent, [
      { type: `xstate.done.actor.${actorId}`, output, actorId } as EventObject,
    ]);
}

/** A child that its parent no longer has. One that had not ended is noted as `torn`. */
function tearOff(draft: Draft, path: string): void {
  const node = draft.nodes[path];
  if (node?.status !== 'active') return;
  draft.nodes[path] = { ...node, status: 'stopped' } as AnyMachineSnapshot; // as an actor's own stop does
  draft.notes['torn'] = [...((draft.notes['torn'] as string[] | undefined) ?? []), path];
}

function draftOf(world: World): Draft {
  const edges = { ...world.edges };
  const send: Draft['send'] = (from, to, ...items) => {
    edges[`${from}>${to}`] = [...(edges[`${from}>${to}`] ?? []), ...items];
  };
  return { nodes: { ...world.nodes }, edges, notes: { ...world.notes }, send };
}
