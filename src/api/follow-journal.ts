import { join } from 'node:path';
import type { z } from 'zod';
import { messageOf } from '../core/errors.js';
import { describeSystemError } from '../core/system-error.js';
import { AgentEntry } from '../journal/entries/agent-entries.js';
import { TaskEntry } from '../journal/entries/task-entries.js';
import { TeamEntry } from '../journal/entries/team-entries.js';
import { JournalDamagedError, parseLine } from '../journal/read-journal.js';
import { AuditLine } from '../journal/readers/read-audit.js';
import { listAgentFiles, namesIn } from '../journal/storage/agent-files.js';
import { readIfThere } from '../processes/tail-file.js';
import type { ViewEvent } from '../view/view-event.js';

/** A reader of the journal of a session that is still written, or has ended. */
export interface JournalFollower {
  /**
   * Read the whole lines that have come since the last call, in batches of files. A line or a file that cannot be read is
   * an event that says so, once.
   */
  next(): Promise<readonly ViewEvent[]>;
}

/** Follow the journal in the folder of a session, from its beginning. Nothing is changed. */
export function followJournal(directory: string): JournalFollower {
  const offsets = new Map<string, number>();
  const counts = new Map<string, number>();
  const unread = new Set<string>();

  const newLines = async (file: string): Promise<readonly string[]> => {
    let text = '';
    for (let from = offsets.get(file) ?? 0; ;) {
      const piece = await readIfThere(file, from);
      if (piece.text === '') break;
      text += piece.text;
      from = piece.next;
    }
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    offsets.set(file, (offsets.get(file) ?? 0) + Buffer.byteLength(whole));
    return whole.split('\n').slice(0, -1);
  };

  const read = async <Entry>(
    file: string,
    schema: z.ZodType<Entry>,
    toEvent: (entry: Entry) => ViewEvent,
  ): Promise<readonly ViewEvent[]> => {
    const lines = await newLines(file).catch((error: unknown) => {
      const message = `${file}: it cannot be read: ${describeSystemError(error)}`;
      if (unread.has(message)) return [];
      unread.add(message);
      return [{ file: 'damaged', message } as const];
    });
    const before = counts.get(file) ?? 0;
    counts.set(file, before + lines.filter((line) => typeof line === 'string').length);
    return lines.map((text, index) => {
      if (typeof text !== 'string') return text;
      try {
        return toEvent(parseLine({ file, line: before + index + 1, text }, schema).entry);
      } catch (error) {
        if (!(error instanceof JournalDamagedError)) throw error;
        return { file: 'damaged', message: messageOf(error) };
      }
    });
  };

  return {
    async next() {
      const agents = listAgentFiles(directory).map(({ agentId, path }) =>
        read(path, AgentEntry, (entry) => ({ file: 'agent', agentId, entry })),
      );
      const teams = namesIn(join(directory, 'teams')).flatMap((name) =>
        name.endsWith('.jsonl')
          ? [
              read(join(directory, 'teams', name), TeamEntry, (entry) => ({
                file: 'team',
                team: name.slice(0, -'.jsonl'.length),
                entry,
              })),
            ]
          : [],
      );
      const batches = await Promise.all([
        read(join(directory, 'tasks.jsonl'), TaskEntry, (entry) => ({ file: 'tasks', entry })),
        read(join(directory, 'audit.jsonl'), AuditLine, (entry) => ({ file: 'audit', entry })),
        ...agents,
        ...teams,
      ]);
      return batches.flat();
    },
  };
}
