import { readRegularFile } from '../../files/regular-file.js';
import { listAgentFiles } from '../storage/agent-files.js';

/** The ID of an accepted message in its line: sender and number. */
const ACCEPTED = /"envelope":\{"id":"((?:[^"\\]|\\.)*)\/(\d+)"/g;

/** The highest message number of each sender in a session. The lines are not parsed, because there may be many. */
export function newestSequences(directory: string): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { path } of listAgentFiles(directory))
    for (const [, from = '', number] of readRegularFile(path)?.matchAll(ACCEPTED) ?? [])
      newest.set(from, Math.max(newest.get(from) ?? 0, Number(number)));
  return newest;
}
