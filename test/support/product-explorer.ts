import { transition, type AnyMachineSnapshot, type EventObject } from 'xstate';
import {
  deliver,
  deliverable,
  startProduct,
  type Product,
  type Step,
  type World,
} from './explore-world.js';

export type Visit = { readonly worlds: number; readonly steps: number; readonly ends: number };

/**
 * Visits once every world that several instances of machines can get into, over all orders in which queued events can be
 * delivered, each edge being first in, first out. Throws at the first world that is wrong, with the way that led there.
 */
export function exploreProduct(
  name: string,
  product: Product,
  { maxWorlds = 200_000, maxMs = 20_000 } = {},
): Visit {
  const started = performance.now();
  const intern = createInterner();
  const step = rememberSteps(intern);
  const first = startProduct(product);
  const keyOf = createKeys(intern);
  const seen = new Map<string, Arrival | undefined>();
  const firstKey = keyOf(first);
  seen.set(firstKey, undefined);
  const open = [{ world: first, key: firstKey }];
  let steps = 0;
  let ends = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { world, key } = next;
    const edges = deliverable(world, product);
    const fault = product.judge(world, edges.length === 0);
    if (fault !== undefined) throw new Error(`${name}: ${fault}\n${wayTo(key, seen)}`);
    if (edges.length === 0) ends += 1;
    for (const edge of edges)
      for (const event of world.edges[edge]?.[0] ?? []) {
        const successor = deliver(product, world, edge, event, step);
        steps += 1;
        const successorKey = keyOf(successor);
        if (seen.has(successorKey)) continue;
        seen.set(successorKey, { came: key, edge, event });
        open.push({ world: successor, key: successorKey });
      }
    if (seen.size > maxWorlds) throw new Error(`${name}: more than ${maxWorlds} worlds`);
    if (performance.now() - started > maxMs) throw new Error(`${name}: more than ${maxMs} ms`);
  }
  console.log(`${name}: ${seen.size} worlds, ${steps} steps, ${ends} ends`);
  return { worlds: seen.size, steps, ends };
}

/** Each instance is in few states: what it does next in one of them is worked out once. */
function rememberSteps(intern: (value: object) => number): Step {
  const known = new Map<string, ReturnType<Step>>();
  return (node, event) => {
    const key = `${intern(node)} ${intern(event)}`;
    const outcome = known.get(key) ?? transition(node.machine, node, event);
    known.set(key, outcome);
    return outcome;
  };
}

/** Short names for equal values; each object is written out once. */
function createInterner(): (value: object) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  return (value) => {
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const text = JSON.stringify('machine' in value ? factsOf(value as AnyMachineSnapshot) : value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(value, number);
    return number;
  };
}

function factsOf({ machine, value, status, context, children, output }: AnyMachineSnapshot) {
  return [machine.id, value, status, context, Object.keys(children), output];
}

/** A short text for each world: names and values by their numbers. */
function createKeys(intern: (value: object) => number): (world: World) => string {
  const names = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = names.get(name) ?? names.size;
    names.set(name, number);
    return number;
  };
  return ({ nodes, edges, notes }) => {
    const parts: string[] = [];
    for (const path in nodes) parts.push(`${numberOf(path)}=${intern(nodes[path]!)}`);
    for (const edge in edges) parts.push(`${numberOf(edge)}:${edges[edge]!.map(intern).join()}`);
    for (const note in notes) parts.push(`${numberOf(note)}!${JSON.stringify(notes[note])}`);
    return parts.sort().join(';');
  };
}

/** The world that it came from, and by which event. */
type Arrival = { readonly came: string; readonly edge: string; readonly event: EventObject };

function wayTo(key: string, seen: ReadonlyMap<string, Arrival | undefined>): string {
  const way: string[] = [];
  for (let at = seen.get(key); at !== undefined; at = seen.get(at.came))
    way.unshift(`${at.edge} ${JSON.stringify(at.event)}`);
  return ['start', ...way].join('\n');
}
