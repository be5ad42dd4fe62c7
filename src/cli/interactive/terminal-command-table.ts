import type { CommandBase } from '../../api/types.js';

/** Commands that only a terminal has. */
export const TERMINAL_COMMANDS = {
  help: { description: 'prints this; ? does so too' },
  exit: { description: 'ends the session and this command', aliases: ['quit'] },
  clear: { description: 'ends the session and begins a new one', aliases: ['new', 'reset'] },
  resume: {
    argumentHint: '[ID]',
    description: 'ends the session and resumes another one, chosen from a list if no ID is given',
    aliases: ['continue'],
  },
  rewind: {
    argumentHint: '[NUMBER]',
    description: 'goes back to before an earlier prompt, with files or without',
    aliases: ['checkpoint'],
  },
  export: { argumentHint: '[FILE]', description: 'writes the log of the session to a file' },
  model: {
    argumentHint: '[MODEL]',
    description: 'changes the model from the next request on; without a name to the first one',
  },
  config: { description: 'the settings of this folder, and where they are' },
  dream: { description: 'consolidates the notes about the project in the background' },
  diff: { description: 'what has changed in the folder since the last commit' },
  doctor: { description: 'whether everything that a run needs is there' },
  status: { description: 'the session, its model, its tasks and its journal' },
  tasks: { description: 'the sub-agents and commands of the session', aliases: ['bashes'] },
} as const satisfies Readonly<Record<string, CommandFields>>;

/** The fields of a command without its name. */
export type CommandFields = Omit<CommandBase, 'name'>;

/** The same commands as a list. */
export const DRAWN_COMMANDS = Object.entries(TERMINAL_COMMANDS).map(
  ([name, fields]): CommandBase => ({
    name,
    ...fields,
  }),
);
