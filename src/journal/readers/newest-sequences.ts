import { readFileSync } from 'node:fs';
import { listAgentFiles } from '../storage/agent-files.js';

/** Where the id of an accepted envelope stands in its line: sender and number. */
const ACCEPTED = /"envelope":\{"id":"((?:[^"\\]|\\.)*)\/(\d+)"/g;

/** The highest number that each sender of a session has given to a message. The lines are not parsed: there may be many. */
export function newestSequences(directory: string): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { path } of listAgentFiles(directory))
    for (const [, from = '', number] of readFileSync(path, 'utf8').matchAll(ACCEPTED))
      newest.set(from, Math.max(newest.get(from) ?? 0, Number(number)));
  return newest;
}
