import type { FlagName } from './flags.js';

export type SubcommandName = keyof typeof SUBCOMMANDS;

export type Subcommand = {
  /** What may follow its name, as `--help` shows it. */
  readonly usage: string;
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

/** What the command does besides runs. */
export const SUBCOMMANDS = {
  sessions: {
    usage: '[--all] [--json]',
    help: 'the sessions of this folder, newest first; --all: of every folder',
    flags: ['--all', '--json'],
  },
  log: {
    usage: '[ID] [--agent NAME] [--json] [-f]',
    help: 'what happened in a session, in the newest of this folder without ID; -f: and what happens',
    flags: ['--agent', '--json', '--follow'],
  },
  ps: {
    usage: '[--json] [--watch]',
    help: 'everything alive in your running troupes, as trees: state, since when, what it waits for',
    flags: ['--json', '--watch'],
  },
  logs: {
    usage: 'ID [-f]',
    help: 'what a live task says: the conversation of an agent, the output of a command',
    flags: ['--follow'],
  },
  kill: {
    usage: 'ID [--reason TEXT]',
    help: 'ends a live task with everything below it',
    flags: ['--reason'],
  },
  send: {
    usage: 'ID TEXT',
    help: 'puts a message into the inbox of a live agent',
    flags: [],
  },
  agents: {
    usage: '[--json]',
    help: 'the agents that there are here, and where each comes from',
    flags: ['--agents', '--setting-sources', '--json'],
  },
  config: {
    usage: '[--json]',
    help: 'the settings that count here, and where each comes from',
    flags: ['--json', ...SETTINGS_FLAGS],
  },
  trust: {
    usage: '[DIR] [--remove]',
    help: 'trust the settings of this folder or DIR, and of what is below; --list lists them',
    flags: ['--list', '--remove', '--json'],
    words: 'folders',
  },
  permissions: {
    usage: "list | explain 'TOOL(INPUT)' | eval FILE | log [ID]  [--json]",
    help: 'the rules here, what they decide on one use, cases of your own, and the decisions of a session',
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
    usage: '[--mcp] [--json]',
    help: 'looks whether all is there that a run here needs; --mcp: starts the MCP servers too',
    flags: ['--mcp', '--json', ...SETTINGS_FLAGS, '--mcp-config', '--strict-mcp-config'],
  },
  team: {
    usage: 'run FILE [--input NAME=VALUE] [--report FILE] [--resume ID] | validate FILE  [--json]',
    help: 'runs the tasks of a team file, agents and commands, in their order; validate only reads it',
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
    help: 'prints a script that lets the shell complete this command',
    flags: [],
    words: SHELLS,
  },
  demo: {
    usage: '[--model MODEL]',
    help: 'a coordinator and three workers repair a small library',
    flags: ['--model', '--verbose'],
  },
} as const satisfies Readonly<Record<string, Subcommand>>;

export const SUBCOMMAND_NAMES = Object.keys(SUBCOMMANDS) as SubcommandName[]; // the object's own keys

/** Flags that a run does not have. */
export const SUBCOMMAND_FLAGS: readonly FlagName[] = [
  '--input',
  '--report',
  '--json',
  '--list',
  '--remove',
  '--all',
  '--mcp',
  '--follow',
  '--watch',
  '--reason',
];

/** How a subcommand is called, for errors and `--help`. */
export function usageOf(name: SubcommandName): string {
  return `troupe ${name} ${SUBCOMMANDS[name].usage}`;
}
