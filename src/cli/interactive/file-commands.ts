import type { Folder } from '../command.js';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../api/errors.js';
import { userFolders } from '../../api/files/folders.js';
import { listSessions } from '../../api/sessions/list-sessions.js';
import { allSessions, findSession } from '../../api/sessions/sessions.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import type { LiveScreen, TerminalLines } from '../terminal/screen/terminal.js';

/** The commands of a session at a terminal that read and write files. */
export interface FileCommands {
  /** The folder of the session. */
  readonly cwd: string;
  /** The newest sessions of the folder, one a line. */
  listSessions(): string;
  /** Let the person choose a session. @returns its ID; undefined if none was chosen @throws UsageError if there is none */
  pick(
    terminal: Pick<LiveScreen, 'show' | 'focus' | 'rows' | 'columns'>,
    current: string,
  ): Promise<string | undefined>;
  /** The ID of a session. @param id the ID or its beginning @throws UsageError if there is no such session */
  find(id: string): string;
  /** Write the log of a session to a new file. @returns a line about it @throws UsageError if the file exists */
  exportLog(sessionId: string, file: string): Promise<string>;
  /** Print what has changed since the last commit. @throws UsageError if there is nothing to compare with */
  showChanges(terminal: Pick<TerminalLines, 'print' | 'keep'>): Promise<void>;
  /** @param width columns of the terminal */
  describeConfig(width: number): Promise<string>;
  /** @param width columns of the terminal */
  describeChecks(width: number): Promise<string>;
}

const MOST_SESSIONS = 10;
const MOST_CHARS = 100;

/** Make the commands for a folder. Each loads its code when it is first used. */
export function createFileCommands(run: RunArguments, world: Folder): FileCommands {
  const { cwd, env } = world;
  const home = userFolders(env).troupe;
  return {
    cwd,
    listSessions() {
      const lines = listSessions({ home, cwd })
        .slice(0, MOST_SESSIONS)
        .map(({ id, title, prompt = '' }) =>
          oneLine(printableLine(`${id}  ${title ?? prompt}`), MOST_CHARS),
        );
      if (lines.length === 0) return 'There is no other session of this folder.';
      return [...lines, 'To resume one: /resume ID'].join('\n');
    },
    async pick(terminal, current) {
      const { pickSession } = await import('./pick-session.js');
      return pickSession(terminal, world, current);
    },
    find: (id) => findSession(home, id).id,
    async exportLog(sessionId, file) {
      if (!allSessions(home).some(({ id }) => id === sessionId))
        throw new UsageError(
          'There is no log to export: the session is not on disk. To export an earlier one: --continue, or --resume ID.',
        );
      const path = resolve(cwd, file === '' ? `troupe-${sessionId}.txt` : file);
      const { exportLog } = await import('../commands/log.js');
      try {
        await writeFile(path, exportLog(sessionId, env), { flag: 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new UsageError(`${path} exists already. Name another file: /export FILE.`);
      }
      return `The log of the session is in ${path}`;
    },
    async showChanges(terminal) {
      const { showChanges } = await import('./show-changes.js');
      await showChanges(terminal, world);
    },
    async describeConfig(width) {
      const { describeConfig } = await import('../commands/config.js');
      return describeConfig(run, world, width);
    },
    async describeChecks(width) {
      const { describeChecks } = await import('../commands/doctor.js');
      return describeChecks({ ...run, connects: false }, world, width);
    },
  };
}
