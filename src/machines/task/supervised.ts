import type { TaskKind } from '../../core/task-types.js';
import { without } from '../records.js';
import { holdsItsAgent, type TaskChild } from './task-child.js';

/** Above this number the next child goes to another supervisor. */
export const MOST_SUPERVISED = 25;

/** The counts that a parent keeps for the children of one supervisor. */
export type Supervised = {
  readonly live: number;
  /** Number of children that keep the task's agent from ending. */
  readonly holding: number;
};

type Supervisors = Readonly<Record<string, Supervised>>;

/** ID of a supervisor that can take another child: one of these, or a new one. */
export function roomyOf(supervisors: Supervisors, limit: number): string {
  for (const id in supervisors) if ((supervisors[id] as Supervised).live < limit) return id;
  let number = Object.keys(supervisors).length + 1;
  while (`sup-${number}` in supervisors) number += 1;
  return `sup-${number}`;
}

export function countIn(supervisors: Supervisors, id: string, kind: TaskKind): Supervisors {
  const { live, holding } = supervisors[id] ?? { live: 0, holding: 0 };
  return { ...supervisors, [id]: { live: live + 1, holding: holding + holds(kind) } };
}

/** A supervisor without children is left out. */
export function countOut(
  supervisors: Supervisors,
  id: string,
  { kind, isIdle }: Pick<TaskChild, 'kind' | 'isIdle'>,
): Supervisors {
  const { live, holding } = supervisors[id] as Supervised; // the supervisor has reported a child
  if (live === 1) return without(supervisors, id);
  const held = isIdle === true ? 0 : holds(kind);
  return { ...supervisors, [id]: { live: live - 1, holding: holding - held } };
}

/** Count a child that is idle or works again. Each change is reported once. */
export function countIdle(supervisors: Supervisors, id: string, isIdle: boolean): Supervisors {
  const { live, holding } = supervisors[id] as Supervised; // the supervisor has reported a child
  return { ...supervisors, [id]: { live, holding: holding + (isIdle ? -1 : 1) } };
}

/** Number of children that keep the task's agent from ending. */
export function holdingOf({
  children,
  supervisors,
}: {
  readonly children: readonly TaskChild[];
  readonly supervisors: Supervisors;
}): number {
  let count = 0;
  for (const { kind, isIdle } of children) if (isIdle !== true) count += holds(kind);
  for (const id in supervisors) count += (supervisors[id] as Supervised).holding;
  return count;
}

function holds(kind: TaskKind): number {
  return holdsItsAgent(kind) ? 1 : 0;
}
