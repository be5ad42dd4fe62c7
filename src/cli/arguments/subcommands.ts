import type { FlagName } from './flags.js';

export type SubcommandName = keyof typeof SUBCOMMANDS;

export type Subcommand = {
  /** What may follow the name, as `--help` shows it; one line for each form. */
  readonly usage: string | readonly string[];
  readonly help: string;
  readonly flags: readonly FlagName[];
  /** What a shell offers for its words. */
  readonly words?: readonly string[] | 'folders';
};

/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What `troupe permissions` does. */
export const PERMISSION_ACTIONS = ['list', 'explain', 'eval', 'log'] as const;

/** What `troupe team` does. */
export const TEAM_ACTIONS = ['run', 'validate'] as const;

const SETTINGS_FLAGS = ['--settings', '--setting-sources', '--add-dir', '--trust'] as const;

/** Every subcommand of `troupe`. */
export const SUBCOMMANDS = {
  sessions: {
    usage: '[--all] [--limit N] [--json]',
    help: 'list the sessions of this folder, newest first',
    flags: ['--all', '--limit', '--json'],
  },
  log: {
    usage: '[ID] [--agent NAME] [--json] [-f]',
    help: 'print what happened in a session (default: the newest of this folder)',
    flags: ['--agent', '--json', '--follow'],
  },
  ps: {
    usage: '[--json] [--watch]',
    help: 'show running agents, tasks and processes: state, since when, what each waits for',
    flags: ['--json', '--watch'],
  },
  logs: {
    usage: 'ID [-f]',
    help: "print a running task's output: an agent's conversation, a command's output",
    flags: ['--follow'],
  },
  kill: {
    usage: 'ID [--reason TEXT]',
    help: 'end a running task and everything that it started',
    flags: ['--reason'],
  },
  send: {
    usage: 'ID TEXT',
    help: 'send a message to a running agent',
    flags: [],
  },
  agents: {
    usage: '[--json]',
    help: 'list the agents, and where each is defined',
    flags: ['--agents', '--setting-sources', '--json'],
  },
  config: {
    usage: '[--json]',
    help: 'print the effective settings, and where each comes from',
    flags: ['--json', ...SETTINGS_FLAGS],
  },
  trust: {
    usage: ['[DIR]', '[DIR] --remove', '--list [--json]'],
    help: 'trust the settings of this folder or DIR and of the folders in it',
    flags: ['--list', '--remove', '--json'],
    words: 'folders',
  },
  permissions: {
    usage: [
      'list [--json] [flags]',
      "explain 'TOOL(INPUT)' [--json] [flags]",
      'eval FILE [--json]',
      'log [ID] [--json]',
    ],
    help: 'list the rules, explain or test decisions, print the decisions of a session',
    flags: [
      '--json',
      ...SETTINGS_FLAGS,
      '--permission-mode',
      '--allowedTools',
      '--disallowedTools',
      '--dangerously-skip-permissions',
    ],
    words: PERMISSION_ACTIONS,
  },
  doctor: {
    usage: '[--mcp] [--json] [flags]',
    help: 'check that this machine and folder have what a run needs',
    flags: ['--mcp', '--json', ...SETTINGS_FLAGS, '--mcp-config', '--strict-mcp-config'],
  },
  team: {
    usage: [
      'run FILE [--input NAME=VALUE] [--report FILE] [--resume ID] [flags]',
      'validate FILE [--json]',
    ],
    help: 'run a team file, or only check it',
    flags: [
      '--input',
      '--report',
      '--resume',
      '--json',
      '--model',
      '--fallback-model',
      '--max-concurrent-agents',
      '--max-budget-usd',
      '--sandbox',
      ...SETTINGS_FLAGS,
      '--permission-mode',
      '--allowedTools',
      '--disallowedTools',
      '--dangerously-skip-permissions',
      '--mcp-config',
      '--strict-mcp-config',
      '--verbose',
    ],
    words: TEAM_ACTIONS,
  },
  completion: {
    usage: 'bash|zsh|fish',
    help: 'print a completion script for a shell',
    flags: [],
    words: SHELLS,
  },
  demo: {
    usage: '[--model MODEL]',
    help: 'watch a coordinator and three workers repair a small library',
    flags: ['--model', '--verbose'],
  },
} as const satisfies Readonly<Record<string, Subcommand>>;

export const SUBCOMMAND_NAMES = Object.keys(SUBCOMMANDS) as SubcommandName[]; // the object's own keys

export function isSubcommand(word: string): word is SubcommandName {
  return Object.hasOwn(SUBCOMMANDS, word);
}

/** Flags that a run does not have. */
export const SUBCOMMAND_FLAGS: readonly FlagName[] = [
  '--input',
  '--report',
  '--json',
  '--list',
  '--remove',
  '--all',
  '--limit',
  '--mcp',
  '--follow',
  '--watch',
  '--reason',
];

/** Every form of a subcommand, for errors and `--help`. */
export function usagesOf(name: SubcommandName): readonly string[] {
  const { usage }: Subcommand = SUBCOMMANDS[name];
  return [usage].flat().map((form) => `troupe ${name} ${form}`);
}

/** The forms of a subcommand on one line. */
export function usageOf(name: SubcommandName): string {
  return usagesOf(name).join(' | ');
}
