import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import { messageOf } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import { AgentEntry } from '../../journal/entries/agent-entries.js';
import { TaskEntry } from '../../journal/entries/task-entries.js';
import { TeamEntry } from '../../journal/entries/team-entries.js';
import { JournalDamagedError, parseLine } from '../../journal/read-journal.js';
import { AuditLine } from '../../journal/readers/read-audit.js';
import { listAgentFiles, namesIn } from '../../journal/storage/agent-files.js';
import { readIfThere } from '../../processes/output/tail-file.js';
import type { ViewEvent } from '../../view/view-event.js';

const READ_BYTES = 1024 * 1024;
/** A character that is not whole yet. */
const LONGEST_PART = 3;
/** Keys are taken between two groups of files. */
const FILES_AT_ONCE = 8;

/** A reader of the journal of a session that is still written, or has ended. */
export interface JournalFollower {
  /**
   * Read the whole lines that have come since the last call, in batches of files. A line or a file that cannot be read is
   * an event that says so, once.
   */
  next(): Promise<readonly ViewEvent[]>;
  /** The end of the read part of each file. */
  positions(): JournalPositions;
}

/** Bytes and lines of each file of a journal that are read, by the file's path in the folder of the session. */
export type JournalPositions = Readonly<Record<string, readonly [bytes: number, lines: number]>>;

/**
 * Follow the journal in the folder of a session. Nothing is changed.
 *
 * @param from positions of an earlier follower; the beginning if absent
 * @param mostBytes most bytes of a file in one batch, unless a line is longer
 * @param readPart reads a part of a file
 */
export function followJournal(
  directory: string,
  {
    from = {},
    mostBytes = Infinity,
    readPart = readIfThere,
  }: {
    readonly from?: JournalPositions;
    readonly mostBytes?: number;
    readonly readPart?: typeof readIfThere;
  } = {},
): JournalFollower {
  const positions = new Map(Object.entries(from));
  const unread = new Set<string>();
  const positionOf = (file: string): readonly [number, number] =>
    positions.get(relative(directory, file)) ?? [0, 0];

  const newLines = async (file: string): Promise<readonly string[]> => {
    const [offset, count] = positionOf(file);
    const text = await readOn(file, offset, mostBytes, readPart);
    if (text === '') return [];
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').slice(0, -1);
    const position = [offset + Buffer.byteLength(whole), count + lines.length] as const;
    positions.set(relative(directory, file), position);
    return lines;
  };

  const read = async <Entry>(
    file: string,
    schema: z.ZodType<Entry>,
    toEvent: (entry: Entry) => ViewEvent,
  ): Promise<readonly ViewEvent[]> => {
    const [, before] = positionOf(file);
    const lines = await newLines(file).catch((error: unknown) => {
      const message = `${file}: it cannot be read: ${describeSystemError(error)}`;
      if (unread.has(message)) return [];
      unread.add(message);
      return [{ file: 'damaged', message } as const];
    });
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
      const tasks = await read(join(directory, 'tasks.jsonl'), TaskEntry, (entry) => ({
        file: 'tasks',
        entry,
      })); // first: what an agent wrote before the end of its task is in its file by then
      const agents = listAgentFiles(directory).map(
        ({ agentId, path }) =>
          () =>
            read(path, AgentEntry, (entry) => ({ file: 'agent', agentId, entry })),
      );
      const teams = teamsIn(directory).map(
        (team) => () =>
          read(join(directory, 'teams', `${team}.jsonl`), TeamEntry, (entry) => ({
            file: 'team',
            team,
            entry,
          })),
      );
      const reads = [
        () =>
          read(join(directory, 'audit.jsonl'), AuditLine, (entry) => ({ file: 'audit', entry })),
        ...agents,
        ...teams,
      ];
      return [...tasks, ...(await inGroups(reads)).flat()];
    },
    positions: () => Object.fromEntries(positions),
  };
}

function teamsIn(directory: string): readonly string[] {
  const files = namesIn(join(directory, 'teams')).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => name.slice(0, -'.jsonl'.length));
}

/** Read a file to its end, or to the first end of a line behind the most bytes. Without a whole line the text is empty. */
async function readOn(
  file: string,
  offset: number,
  mostBytes: number,
  readPart: typeof readIfThere,
): Promise<string> {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= offset) return '';
  const asked = Math.min(mostBytes, READ_BYTES);
  const pieces: string[] = [];
  let isWhole = false;
  for (let at = offset; !isWhole || at - offset < mostBytes;) {
    const piece = await readPart(file, at, asked);
    pieces.push(piece.text);
    isWhole ||= piece.text.includes('\n');
    if (piece.next - at < asked - LONGEST_PART) break; // the file ends
    at = piece.next;
  }
  return isWhole ? pieces.join('') : '';
}

/** Start a few, and the next ones when they have ended. */
async function inGroups<Value>(
  starts: readonly (() => Promise<Value>)[],
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < starts.length; at += FILES_AT_ONCE) {
    const group = starts.slice(at, at + FILES_AT_ONCE).map((start) => start());
    values.push(...(await Promise.all(group)));
  }
  return values;
}
