import { join } from 'node:path';
import { z } from 'zod';
import { listAgentFiles } from '../../../src/journal/storage/agent-files.js';
import { AgentEntry } from '../../../src/journal/entries/agent-entries.js';
import { readJournal } from '../../../src/journal/read-journal.js';

const Line = z.looseObject({ type: z.string(), timestamp: z.number() });
type JournalLine = z.infer<typeof Line>;

/** Whole lines of one of a session's own files. Throws if one of them cannot be read. */
export function journalLines(
  session: string,
  file: 'tasks.jsonl' | 'audit.jsonl',
): Promise<readonly JournalLine[]> {
  return readJournal(join(session, file), Line);
}

/** Entries of all agents of a session, by agent id. */
export async function agentJournals(
  session: string,
): Promise<ReadonlyMap<string, readonly AgentEntry[]>> {
  const journals = listAgentFiles(session).map(async ({ agentId, path }) => {
    const entries = await readJournal(path, AgentEntry);
    return [agentId, entries] as const;
  });
  return new Map(await Promise.all(journals));
}
