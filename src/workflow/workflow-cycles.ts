import type { WorkflowDefinition, WorkflowProblem } from './workflow-definition.js';
import { needsOf } from './workflow-expressions.js';

type Needs = ReadonlyMap<string, readonly string[]>;

/** Most names of a longer circle. */
const MOST_NAMED = 10;

/** Find tasks that can never begin: those that wait for each other in a circle, and those that wait for one of them. */
export function findCycles({ tasks }: WorkflowDefinition): readonly WorkflowProblem[] {
  const needs = new Map(
    Object.entries(tasks).map(([name, task]) => [
      name,
      needsOf(task).filter((need) => need !== name && Object.hasOwn(tasks, need)),
    ]),
  );
  const stuck = findStuck(needs);
  const { circles, entries } = findCircles(needs, stuck);
  const told = new Set<string>();
  return [...stuck].flatMap((name) => {
    if (told.has(name)) return [];
    const circle = circles.get(name);
    for (const member of circle ?? []) told.add(member);
    const why =
      circle === undefined
        ? `it waits for "${entries.get(name) ?? name}", which waits for itself`
        : `each waits for the next, ${describeCircle(name, circle)}`;
    return [{ path: ['tasks', name], message: `it can never begin: ${why}` }];
  });
}

/** Remove every task that can begin, and then those that waited only for it. */
function findStuck(needs: Needs): ReadonlySet<string> {
  const waitsFor = new Map([...needs].map(([name, { length }]) => [name, length]));
  const dependents = new Map<string, string[]>([...needs.keys()].map((name) => [name, []]));
  for (const [name, others] of needs) for (const need of others) dependents.get(need)?.push(name);
  const stuck = new Set(needs.keys());
  const free = [...needs].flatMap(([name, { length }]) => (length === 0 ? [name] : []));
  for (const name of free) {
    stuck.delete(name);
    for (const dependent of dependents.get(name) ?? []) {
      const left = (waitsFor.get(dependent) ?? 0) - 1;
      waitsFor.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  return stuck;
}

/** Follow the needs of each stuck task until they form a circle, or reach a task that is known already. */
function findCircles(
  needs: Needs,
  stuck: ReadonlySet<string>,
): {
  /** The circle in its order, by each of its members. */
  readonly circles: ReadonlyMap<string, readonly string[]>;
  /** The member at which a stuck task reaches a circle, by task. */
  readonly entries: ReadonlyMap<string, string>;
} {
  const circles = new Map<string, readonly string[]>();
  const entries = new Map<string, string>();
  for (const start of stuck) {
    const way = new Set<string>();
    let name = start;
    while (!way.has(name) && !entries.has(name)) {
      way.add(name);
      name = (needs.get(name) ?? []).find((need) => stuck.has(need)) ?? name; // there is one, because it is stuck
    }
    if (way.has(name)) {
      const all = [...way];
      const circle = all.slice(all.indexOf(name));
      for (const member of circle) {
        circles.set(member, circle);
        entries.set(member, member);
      }
    }
    const entry = entries.get(name) ?? name;
    for (const one of way) if (!entries.has(one)) entries.set(one, entry);
  }
  return { circles, entries };
}

function describeCircle(name: string, circle: readonly string[]): string {
  const from = circle.indexOf(name);
  const all = [...circle.slice(from), ...circle.slice(0, from)].map((one) => `"${one}"`);
  if (all.length <= MOST_NAMED) return [...all, `"${name}"`].join(' → ');
  return `${[...all.slice(0, 5), '…', `"${name}"`].join(' → ')} (${all.length} tasks)`;
}
