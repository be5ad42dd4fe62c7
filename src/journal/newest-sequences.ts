import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the id of an accepted envelope stands in its line: sender and number. */
const ACCEPTED = /"envelope":\{"id":"((?:[^"\\]|\\.)*)\/(\d+)"/g;

/** The highest number that each sender of a session has given to a message. The lines are not parsed: there may be many. */
export function newestSequences(directory: string): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  const folder = join(directory, 'agents');
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    for (const [, from = '', number] of readFileSync(join(folder, name), 'utf8').matchAll(ACCEPTED))
      newest.set(from, Math.max(newest.get(from) ?? 0, Number(number)));
  return newest;
}
