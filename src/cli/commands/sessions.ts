import { resolve } from 'node:path';
import { userFolders } from '../../context/folders.js';
import { listSessions, type SessionSummary } from '../../journal/list-sessions.js';
import type { Command } from '../arguments/command.js';
import { oneLine } from '../printable.js';
import { printJson, printLines, timeOf, toColumns } from './print.js';

type SessionsCommand = Extract<Command, { type: 'sessions' }>;

const PROMPT_WIDTH = 60;

/**
 * `troupe sessions`: the sessions that were written down.
 *
 * @returns the exit code
 */
export async function showSessions(
  { isAll, isJson }: SessionsCommand,
  world: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<number> {
  const home = userFolders(world.env).troupe;
  const cwd = resolve(world.cwd);
  const sessions = listSessions(isAll ? { home } : { home, cwd });
  if (isJson) await printJson([sessions.map(toJson)]);
  else if (sessions.length > 0) await printLines(toTable(sessions, isAll));
  else
    await printLines([
      isAll ? `There is no session in ${home}.` : `There is no session of ${cwd}. See --all.`,
    ]);
  return 0;
}

function toJson({ startedAt, writtenAt, ...session }: SessionSummary): object {
  return {
    ...session,
    ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() }),
    ...(writtenAt === undefined ? {} : { writtenAt: new Date(writtenAt).toISOString() }),
  };
}

function toTable(sessions: readonly SessionSummary[], isAll: boolean): readonly string[] {
  const head = ['id', 'status', 'started', 'last written', 'turns', 'agents'];
  const rows = sessions.map((one) => [
    one.id,
    one.pid === undefined ? one.status : `${one.status} (${one.pid})`,
    one.startedAt === undefined ? '-' : timeOf(one.startedAt),
    one.writtenAt === undefined ? '-' : timeOf(one.writtenAt),
    String(one.turns ?? '-'),
    String(one.agents ?? '-'),
    ...(isAll ? [one.cwd ?? '-'] : []),
    whatOf(one),
  ]);
  return toColumns([[...head, ...(isAll ? ['folder'] : []), 'title or prompt'], ...rows]);
}

function whatOf({ title, prompt, problem }: SessionSummary): string {
  if (problem !== undefined) return oneLine(problem, Infinity);
  return oneLine(title ?? prompt?.trimStart().split('\n', 1)[0] ?? '-', PROMPT_WIDTH);
}
