import { setTimeout as delay } from 'node:timers/promises';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { allActors } from '../../support/inspected.js';
import { PATIENCE_MS } from './troupe-process.js';
import type { Place } from './place.js';

/** One running troupe as `troupe ps --json` shows it. */
export type Seen = { readonly pid: number; readonly cwd: string; readonly tree: InspectedActor };

/** Looks at all that runs with this place's home, from outside. */
export async function ps(place: Place): Promise<readonly Seen[]> {
  const { stdout, code, stderr } = await place.call(['ps', '--json']);
  if (code !== 0 || stderr !== '') throw new Error(`troupe ps ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as readonly Seen[]; // what it is to print
}

/** Looks until there is something to see; rejects with the last look when it does not come. */
export async function psUntil<T>(
  place: Place,
  find: (seen: readonly Seen[]) => T | undefined,
): Promise<T> {
  let seen: readonly Seen[] = [];
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(50)) {
    seen = await ps(place);
    const found = find(seen);
    if (found !== undefined) return found;
  }
  throw new Error(`it was never seen:\n${seen.map(({ tree }) => outline(tree)).join('\n')}`);
}

export function findActor(
  seen: readonly Seen[],
  fits: (actor: InspectedActor) => boolean,
): InspectedActor | undefined {
  return seen.flatMap(({ tree }) => allActors(tree)).find(fits);
}

/** The tree in words, one actor a line, for people. */
export function outline({ children, ...actor }: InspectedActor, depth = 0): string {
  const { kind, label, state, pid, waitingFor } = actor;
  const process = pid === undefined ? '' : ` (${pid})`;
  const line = `${'  '.repeat(depth)}${kind} ${label}${process} ${state}: ${waitingFor.join('; ')}`;
  return [line, ...children.map((child) => outline(child, depth + 1))].join('\n');
}
