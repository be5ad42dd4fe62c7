import { isStronger } from '../../api/sessions/prompts.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import type { Folder } from '../command.js';
import { TERMINAL_COMMANDS } from '../interactive/slash-commands.js';
import type { PreparedRun } from '../run/prepare-run.js';

const NAMES = ['config', 'doctor', 'export'] as const;
/** A command that reads or writes files. */
export type FileCommandName = (typeof NAMES)[number];

/**
 * Give a run without a terminal the commands that read and write files. A skill of the same name replaces one. Without
 * skills there are none: every line is a prompt.
 */
export function withFileCommands(
  prepared: PreparedRun,
  run: RunArguments,
  world: Folder,
): PreparedRun {
  const { skills } = prepared.options;
  if (skills === undefined) return prepared;
  const commands = NAMES.filter(
    (name) => !skills.some((skill) => skill.name === name && isStronger(skill)),
  ).map((name) => ({
    type: 'local' as const,
    name,
    ...TERMINAL_COMMANDS[name],
    load: async () => (await import('./file-command.js')).fileCommand(name, run, world),
  }));
  return { ...prepared, options: { ...prepared.options, commands } };
}
