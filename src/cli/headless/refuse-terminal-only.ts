import { UsageError } from '../../api/errors.js';
import type { Skill } from '../../api/types.js';
import { DRAWN_COMMANDS, type TERMINAL_COMMANDS } from '../interactive/terminal-command-table.js';

const AT_TERMINAL = 'start troupe without -p, and type it there';

/** Advice for commands that only a terminal has. */
const INSTEAD: { readonly [Name in keyof typeof TERMINAL_COMMANDS]?: string } = {
  clear: 'each run without --continue or --resume begins a new session',
  diff: AT_TERMINAL,
  exit: 'the run ends with its last prompt',
  resume: 'give --resume ID, or --continue',
  rewind: AT_TERMINAL,
};

/** Refuse a line with a command that only a terminal has, unless a skill has its name. @throws UsageError */
export function refuseTerminalOnly(line: string, skills: readonly Skill[] | undefined): void {
  const word = /^\/([\w-]+)(?:\s|$)/.exec(line)?.[1] ?? '';
  const name = DRAWN_COMMANDS.find(
    (one) => one.name === word || one.aliases?.includes(word) === true,
  )?.name as keyof typeof INSTEAD | undefined; // the object's own key
  const instead = name && INSTEAD[name];
  if (instead !== undefined && skills?.some((skill) => skill.name === word) === false)
    throw new UsageError(`/${name} needs a terminal: ${instead}.`);
}
