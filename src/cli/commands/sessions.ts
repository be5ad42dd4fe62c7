import type { RunCommand } from '../command.js';
import { resolve } from 'node:path';
import { userFolders } from '../../api/files/folders.js';
import type { SessionSummary } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import { listSessions } from '../../api/sessions/list-sessions.js';
import { countOf } from '../arguments/flag-readers.js';
import { openStdout } from '../output/output-writer.js';
import type { Column } from '../output/table.js';
import { printJson, printLines, printTable, timeOf } from '../output/print.js';

const PROMPT_WIDTH = 60;
/** Most sessions that a terminal shows without `--limit`. */
const SHOWN_AT_TERMINAL = 20;
/** Narrower terminals show the beginnings of IDs. */
const NARROW = 72;
const SHORT_ID = 8;

/**
 * `troupe sessions`: list the recorded sessions.
 *
 * @returns the exit code
 */
export const run: RunCommand = async (line, world) => {
  const limit = countOf(line, '--limit', 0);
  const isAll = line.given.has('--all');
  const isJson = line.given.has('--json');
  const home = userFolders(world.env).troupe;
  const cwd = resolve(world.cwd);
  const all = listSessions(isAll ? { home } : { home, cwd });
  const { isTerminal, columns = Infinity } = openStdout();
  const most = limit ?? (isTerminal && !isJson ? SHOWN_AT_TERMINAL : 0);
  const sessions = most === 0 ? all : all.slice(0, most);
  const left = all.length - sessions.length;
  if (isJson) await printJson([sessions.map(toJson)]);
  else if (sessions.length > 0) {
    const idLength = columns < NARROW ? SHORT_ID : Infinity;
    await printTable(toRows(sessions, { isAll, idLength }), isAll ? COLUMNS_OF_ALL : COLUMNS);
    if (left > 0)
      await printLines([`… and ${left} more: troupe sessions${isAll ? ' --all' : ''} --limit 0`]);
  } else
    await printLines([
      isAll ? `There is no session in ${home}.` : `There is no session of ${cwd}. See --all.`,
    ]);
  return 0;
};

function toJson({ startedAt, writtenAt, ...session }: SessionSummary): object {
  return {
    ...session,
    ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() }),
    ...(writtenAt === undefined ? {} : { writtenAt: new Date(writtenAt).toISOString() }),
  };
}

/** A value for `--resume`: the whole ID, or its beginning on a narrow terminal. */
const COLUMNS: readonly Column[] = [
  {},
  { least: 9 },
  { isOptional: true },
  { isOptional: true },
  { isOptional: true },
  { isOptional: true },
  { least: 16 },
];
const COLUMNS_OF_ALL: readonly Column[] = [
  ...COLUMNS.slice(0, -1),
  { least: 12, isOptional: true },
  { least: 16 },
];

function toRows(
  sessions: readonly SessionSummary[],
  { isAll, idLength }: { readonly isAll: boolean; readonly idLength: number },
): readonly (readonly string[])[] {
  const head = ['id', 'status', 'started', 'last written', 'turns', 'agents'];
  const rows = sessions.map((one) => [
    one.id.slice(0, idLength),
    one.pid === undefined ? one.status : `${one.status} (${one.pid})`,
    one.startedAt === undefined ? '-' : timeOf(one.startedAt),
    one.writtenAt === undefined ? '-' : timeOf(one.writtenAt),
    String(one.turns ?? '-'),
    String(one.agents ?? '-'),
    ...(isAll ? [one.cwd ?? '-'] : []),
    whatOf(one),
  ]);
  return [[...head, ...(isAll ? ['folder'] : []), 'title or prompt'], ...rows];
}

function whatOf({ title, tag, prompt, problem }: SessionSummary): string {
  if (problem !== undefined) return oneLine(problem, Infinity);
  const what = title ?? prompt?.trimStart().split('\n', 1)[0] ?? '-';
  return oneLine(tag === undefined ? what : `[${tag}] ${what}`, PROMPT_WIDTH);
}
