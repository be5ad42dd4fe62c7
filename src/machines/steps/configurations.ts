import {
  spawnChild,
  stopChild,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type StateValue,
} from 'xstate';

/** A set of active states, and everything that follows from it in the machine alone. */
export type Configuration = {
  readonly nodes: AnyStateNode[];
  readonly value: StateValue;
  readonly tags: Set<string>;
  /** Transitions without an event; the first one whose guard passes is taken. */
  readonly always: readonly AnyTransitionDefinition[];
  /** Transitions for an event, innermost state first. */
  on(type: string): readonly AnyTransitionDefinition[];
  step(transition: AnyTransitionDefinition): Step;
};

export type Step = {
  /** Actions of the exited states, of the transition, and of the entered states. */
  readonly actions: readonly unknown[];
  /** The entered final state that ends the actor. */
  readonly end: AnyStateNode | undefined;
  readonly next: Configuration;
};

export interface Configurations {
  /** @param nodes those of a snapshot */
  of(nodes: readonly AnyStateNode[]): Configuration;
  /** Into the first configuration. */
  readonly first: Step;
}

/** Compute once what follows from the machine for each configuration. */
export function createConfigurations({ root }: AnyStateMachine): Configurations {
  refuseUnplanned(root);
  const byNodes = new WeakMap<readonly AnyStateNode[], Configuration>();
  const byInnermost = new Map<AnyStateNode, Configuration>();

  const configurationOf = (nodes: readonly AnyStateNode[]): Configuration => {
    const known = byNodes.get(nodes);
    if (known !== undefined) return known;
    const innermost = nodes.reduce((inner, node) => (isBelow(node, inner) ? node : inner), root);
    const configuration =
      byInnermost.get(innermost) ?? createConfiguration(pathTo(innermost), configurationOf);
    byInnermost.set(innermost, configuration);
    byNodes.set(nodes, configuration);
    return configuration;
  };

  const path = pathTo(innermostOf(root));
  return { of: configurationOf, first: entering(path, [], configurationOf(path)) };
}

/** @param nodes from the root to the innermost */
function createConfiguration(
  nodes: AnyStateNode[],
  configurationOf: (nodes: readonly AnyStateNode[]) => Configuration,
): Configuration {
  const outwards = nodes.toReversed();
  const candidates = new Map<string, readonly AnyTransitionDefinition[]>();
  const steps = new Map<AnyTransitionDefinition, Step>();
  return {
    nodes,
    value: valueOf(nodes),
    tags: new Set(nodes.flatMap(({ tags }) => tags)),
    always: outwards.flatMap(({ always = [] }) => always),
    on: (type) =>
      orMake(candidates, type, () => outwards.flatMap((node) => transitionsOf(node, type))),
    step: (transition) =>
      orMake(steps, transition, () => planStep(nodes, transition, configurationOf)),
  };
}

function orMake<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function planStep(
  nodes: readonly AnyStateNode[],
  { source, target, reenter, actions }: AnyTransitionDefinition,
  configurationOf: (nodes: readonly AnyStateNode[]) => Configuration,
): Step {
  const [to] = (target ?? []) as readonly AnyStateNode[]; // at most one, because no state is parallel
  if (to === undefined) return { actions, end: undefined, next: configurationOf(nodes) };
  const isWithin = !reenter && (to === source || isBelow(to, source));
  const kept = isWithin
    ? [...pathTo(source)]
    : pathTo(to).filter((node) => isBelow(to, node) && isBelow(source, node));
  const next = pathTo(innermostOf(to));
  const left = nodes.filter((node) => !kept.includes(node));
  const entered = next.filter((node) => !kept.includes(node));
  return entering(
    entered,
    [...left.toReversed().flatMap(leave), ...actions],
    configurationOf(next),
  );
}

function entering(
  nodes: readonly AnyStateNode[],
  before: readonly unknown[],
  next: Configuration,
): Step {
  const end = nodes.find(({ type }) => type === 'final');
  return { actions: [...before, ...nodes.flatMap(enter)], end, next };
}

function leave({ exit, invoke }: AnyStateNode): readonly unknown[] {
  return [...exit, ...invoke.map(({ id }) => stopChild(id))];
}

function enter({ entry, invoke }: AnyStateNode): readonly unknown[] {
  return [
    ...entry,
    ...invoke.map(({ src, id, input, systemId }) =>
      spawnChild(src as string, { id, input, ...(systemId === undefined ? {} : { systemId }) }),
    ),
  ];
}

/** The transitions of one state for an event: those of its own type, then those of wildcards, the longest first. */
function transitionsOf(
  { transitions }: AnyStateNode,
  type: string,
): readonly AnyTransitionDefinition[] {
  const wildcards = [...transitions.keys()].filter(
    (key) => key !== type && /^(.*\.)?\*$/.test(key) && `${type}.`.startsWith(key.slice(0, -1)),
  );
  return [type, ...wildcards.toSorted((a, b) => b.length - a.length)].flatMap(
    (key) => transitions.get(key) ?? [],
  );
}

function pathTo(node: AnyStateNode): AnyStateNode[] {
  return node.parent === undefined ? [node] : [...pathTo(node.parent), node];
}

function innermostOf(node: AnyStateNode): AnyStateNode {
  const [first] = node.type === 'compound' ? (node.initial.target as AnyStateNode[]) : [];
  return first === undefined ? node : innermostOf(first);
}

function isBelow(node: AnyStateNode, above: AnyStateNode): boolean {
  return node.parent !== undefined && (node.parent === above || isBelow(node.parent, above));
}

function valueOf([, ...below]: readonly AnyStateNode[]): StateValue {
  const innermost = below.at(-1);
  if (innermost === undefined) return {};
  return below
    .slice(0, -1)
    .reduceRight<StateValue>((value, { key }) => ({ [key]: value }), innermost.key);
}

/** @throws Error for a machine with features that the steps do not support */
function refuseUnplanned(node: AnyStateNode): void {
  const { type, id, after, states, invoke, parent } = node;
  const isUnplanned =
    type === 'parallel' ||
    type === 'history' ||
    (type === 'final' && parent?.parent !== undefined) ||
    (type === 'compound' && node.initial.actions.length > 0) ||
    after.length > 0 ||
    invoke.some(({ onSnapshot }) => onSnapshot !== undefined);
  if (isUnplanned)
    throw new Error(
      `The state ${id} is parallel, a history, a final state within another, or has delays, initial actions or an onSnapshot: run its machine with xstate's own steps.`,
    );
  for (const child of Object.values(states) as AnyStateNode[]) refuseUnplanned(child);
}
