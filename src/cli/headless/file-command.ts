import type { LocalCommandModule } from '../../api/types.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import type { Folder } from '../command.js';
import { createFileCommands, type FileCommands } from '../interactive/file-commands.js';
import type { FileCommandName } from './own-commands.js';

/** Columns of a table without a terminal. */
const WIDTH = 160;

const CALLS: Readonly<
  Record<FileCommandName, (files: FileCommands, args: string, sessionId: string) => Promise<string>>
> = {
  config: (files) => files.describeConfig(WIDTH),
  doctor: (files) => files.describeChecks(WIDTH),
  export: (files, file, sessionId) => files.exportLog(sessionId, file),
};

/** Make a command that reads or writes files, for a run without a terminal. */
export function fileCommand(
  name: FileCommandName,
  run: RunArguments,
  world: Folder,
): LocalCommandModule {
  const files = createFileCommands(run, world);
  return {
    call: async (args, { sessionId }) => ({
      type: 'text',
      value: await CALLS[name](files, args, sessionId),
    }),
  };
}
