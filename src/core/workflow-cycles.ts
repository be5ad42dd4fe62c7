import type { WorkflowDefinition, WorkflowProblem } from './workflow-definition.js';
import { needsOf } from './workflow-expressions.js';

/** Tasks that can never begin: those that wait for each other in a circle, and those that wait for one of them. */
export function findCycles({ tasks }: WorkflowDefinition): readonly WorkflowProblem[] {
  const needs = new Map(
    Object.entries(tasks).map(([name, task]) => [
      name,
      needsOf(task).filter((need) => need !== name && Object.hasOwn(tasks, need)),
    ]),
  );
  const stuck = new Set(needs.keys());
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const name of stuck)
      if ((needs.get(name) ?? []).every((need) => !stuck.has(need))) {
        stuck.delete(name);
        isNew = true;
      }
  }
  const problems: WorkflowProblem[] = [];
  const told = new Set<string>();
  for (const name of stuck) {
    if (told.has(name)) continue;
    const circle = circleFrom(name, needs, stuck);
    const [first = name] = circle;
    if (circle.includes(name)) {
      for (const member of circle) told.add(member);
      const way = [
        ...circle.slice(circle.indexOf(name)),
        ...circle.slice(0, circle.indexOf(name)),
        name,
      ];
      problems.push({
        path: ['tasks', name],
        message: `it can never begin: each waits for the next, ${way.map((one) => `"${one}"`).join(' → ')}`,
      });
    } else
      problems.push({
        path: ['tasks', name],
        message: `it can never begin: it waits for "${first}", which waits for itself`,
      });
  }
  return problems;
}

/** Follows what a stuck task waits for until it comes round: the circle, in its order. */
function circleFrom(
  start: string,
  needs: ReadonlyMap<string, readonly string[]>,
  stuck: ReadonlySet<string>,
): readonly string[] {
  const way: string[] = [];
  let name: string | undefined = start;
  while (name !== undefined && !way.includes(name)) {
    way.push(name);
    name = (needs.get(name) ?? []).find((need) => stuck.has(need));
  }
  return name === undefined ? [] : way.slice(way.indexOf(name));
}
