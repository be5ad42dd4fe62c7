import { existsSync, readFileSync } from 'node:fs';
import type { AgentId, TaskId } from '../core/ids.js';
import { tryParseJson } from '../core/try-parse-json.js';
import { TaskEntry, toPastTasks, type PastTask } from './task-entries.js';

/**
 * What the lines of a session say of one task; undefined where they do not name it. The file is searched as text, and only
 * what names the task is parsed: it may be long.
 *
 * @param outputFileOf where a task's output stands
 */
export function findTaskInJournal(
  file: string,
  id: TaskId,
  outputFileOf: (id: TaskId) => string,
): PastTask | undefined {
  const entries = linesWith(file, `"id":${JSON.stringify(id)}`);
  return toPastTasks(entries, outputFileOf).get(id);
}

/** The newest task that had this conversation. */
export function findTaskOfAgent(file: string, agentId: AgentId): TaskId | undefined {
  const [newest] = linesWith(file, `"agentId":${JSON.stringify(agentId)}`).toReversed();
  return newest !== undefined && 'id' in newest ? newest.id : undefined;
}

function linesWith(file: string, part: string): readonly TaskEntry[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const entries: TaskEntry[] = [];
  for (let at = text.indexOf(part); at !== -1;) {
    const end = text.indexOf('\n', at);
    if (end === -1) break; // torn
    const line = text.slice(text.lastIndexOf('\n', at) + 1, end);
    const entry = TaskEntry.safeParse(tryParseJson(line)).data; // a damaged line is named by whoever goes on with the session
    if (entry !== undefined) entries.push(entry);
    at = text.indexOf(part, end);
  }
  return entries;
}
