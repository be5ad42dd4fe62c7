import { isStronger } from '../../api/sessions/prompts.js';
import type { DrawnCommand, ProgramCommand } from '../../api/types.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import type { Folder } from '../command.js';
import { TERMINAL_COMMANDS } from '../interactive/terminal-command-table.js';
import type { PreparedRun } from '../run/prepare-run.js';

const NAMES = ['config', 'doctor', 'export'] as const;
/** A command that reads or writes files. */
export type FileCommandName = (typeof NAMES)[number];

/**
 * Give a run without a terminal the commands that read and write files, and those of `--commands`: each of them that needs
 * a person refuses its use. A skill of the same name replaces one. Without skills there are none: every line is a prompt.
 */
export async function withFileCommands(
  prepared: PreparedRun,
  run: RunArguments,
  world: Folder,
): Promise<PreparedRun> {
  const { skills, commands: given = [] } = prepared.options;
  if (skills === undefined) return prepared;
  const own = NAMES.filter(
    (name) => !skills.some((skill) => skill.name === name && isStronger(skill)),
  ).map((name) => ({
    type: 'local' as const,
    name,
    ...TERMINAL_COMMANDS[name],
    load: async () => (await import('./file-command.js')).fileCommand(name, run, world),
  }));
  const commands = [...own, ...(await usable([...given, ...prepared.drawn]))];
  return { ...prepared, options: { ...prepared.options, commands } };
}

/** The commands of `--commands` for a run without a person. */
async function usable(
  given: readonly (DrawnCommand | ProgramCommand)[],
): Promise<readonly ProgramCommand[]> {
  if (given.length === 0) return [];
  const { withoutPerson } = await import('../../api/sessions/without-person.js');
  return withoutPerson(given);
}
