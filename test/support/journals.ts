import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SessionHandle } from '../../src/actors/contract/handles.js';
import { agentFileIn } from '../../src/journal/storage/agent-files.js';
import { AgentEntry } from '../../src/journal/entries/agent-entries.js';
import { readJournal } from '../../src/journal/read-journal.js';

const Line = z.looseObject({ type: z.string(), timestamp: z.number() });
export type Line = z.infer<typeof Line>;

/** Lines of one of a session's own files, of one type if it is named. */
export async function linesOf(
  { directory }: Pick<SessionHandle, 'directory'>,
  file: 'tasks.jsonl' | 'audit.jsonl',
  type?: string,
): Promise<readonly Line[]> {
  const lines = await readJournal(join(directory, file), Line);
  return type === undefined ? lines : lines.filter((line) => line.type === type);
}

export type StatusLine = { readonly id: string; readonly status: string };

/** Task and status of every status line, in the order of writing. */
export async function statusLines(
  session: Pick<SessionHandle, 'directory'>,
): Promise<readonly StatusLine[]> {
  const lines = await linesOf(session, 'tasks.jsonl', 'task.status');
  return lines.map(({ id, status }) => ({ id: String(id), status: String(status) }));
}

export function agentEntries(
  { directory }: Pick<SessionHandle, 'directory'>,
  agentId: string,
): Promise<readonly AgentEntry[]> {
  return readJournal(agentFileIn(directory, agentId), AgentEntry);
}

/** Ids of all agents that a session has a journal of. */
export async function agentIds({
  directory,
}: Pick<SessionHandle, 'directory'>): Promise<readonly string[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => /^agent-(.+)\.jsonl$/.exec(name)?.[1] ?? []).sort();
}
