import type { RunCommand } from '../command.js';
import type { Offer } from '../arguments/flag-table.js';
import { RUN_FLAGS, type FlagName } from '../arguments/flags.js';
import { MCP } from './mcp-command.js';
import { PLUGIN } from './plugin-command.js';
import { MCP_FLAGS, RULE_FLAGS, SERVE_FLAGS, SETTINGS_FLAGS } from './shared-flags.js';

/** A word that a command takes. */
export type Operand = {
  readonly name: string;
  readonly isOptional?: boolean;
  /** Takes every further word. */
  readonly isRest?: boolean;
  readonly offer?: Offer;
};

/** One action of a command: its words, its flags and its code, which is loaded when it runs. */
export type Action = {
  readonly words?: readonly Operand[];
  readonly flags: readonly FlagName[];
  /** Flags that several commands share; the usage line has them as `[flags]`. */
  readonly shared?: readonly FlagName[];
  /** The forms of the usage line, if they are not simply all words and flags. */
  readonly usage?: readonly string[];
  /** Help for flags that mean something else here. */
  readonly help?: Readonly<Partial<Record<FlagName, string>>>;
  /** @returns a module whose `run` does it and resolves with the exit code */
  readonly load: () => Promise<{ readonly run: RunCommand }>;
};

export type Command = {
  readonly summary: string;
  /** Further lines of the command's own help. */
  readonly details?: string;
} & (
  | Action
  | {
      readonly actions: Readonly<Record<string, Action>>;
      /** Other words for actions. */
      readonly aliases?: Readonly<Record<string, string>>;
    }
);

const TARGET_DETAILS =
  'ID is the ID of a task, an agent or a session, or an agent\'s name: see "troupe ps".';
const REQUEST_DETAILS = 'ID is the ID of the request: see "troupe requests".';

/** A run, which has no name: `troupe [PROMPT]` and `troupe -p PROMPT`. */
export const RUN: Action = { flags: RUN_FLAGS, load: () => import('../commands/run.js') };

/** Every command of `troupe`, in the order of the help. */
export const COMMANDS = {
  sessions: {
    summary: 'list the sessions of this folder, newest first',
    flags: ['--all', '--limit', '--json'],
    load: () => import('../commands/sessions.js'),
  },
  log: {
    summary: 'print what happened in a session (default: the newest of this folder)',
    words: [{ name: 'ID', isOptional: true }],
    flags: ['--agent', '--json', '--follow'],
    help: { '--agent': 'only this agent: its name, type or ID' },
    load: () => import('../commands/log.js'),
  },
  ps: {
    summary: 'show running agents, tasks and processes: state, since when, what each waits for',
    flags: ['--json', '--watch'],
    load: () => import('../commands/ps.js'),
  },
  logs: {
    summary: "print a running task's output: an agent's conversation, a command's output",
    details: TARGET_DETAILS,
    words: [{ name: 'ID' }],
    flags: ['--follow'],
    load: () => import('../commands/logs.js'),
  },
  kill: {
    summary: 'end a running task and everything that it started',
    details: TARGET_DETAILS,
    words: [{ name: 'ID' }],
    flags: ['--reason'],
    load: () => import('../commands/kill.js'),
  },
  send: {
    summary: 'send a message to a running agent',
    details: 'ID is the ID of an agent, its task or its session, or its name: see "troupe ps".',
    words: [{ name: 'ID' }, { name: 'TEXT' }],
    flags: [],
    load: () => import('../commands/send.js'),
  },
  attach: {
    summary: 'open the terminal of a running session or agent, or only look at it',
    details: TARGET_DETAILS,
    words: [{ name: 'ID' }],
    flags: ['--view'],
    load: () => import('../commands/attach.js'),
  },
  requests: {
    summary: 'print the permission requests, questions and plans that wait for a decision',
    flags: ['--json', '--watch'],
    load: () => import('../commands/requests.js'),
  },
  approve: {
    summary: 'allow a permission request of a running agent, or answer its question',
    details: REQUEST_DETAILS,
    words: [{ name: 'ID' }],
    flags: ['--always', '--edit', '--answer', '--message'],
    help: { '--message': 'a note for the agent, added to the result' },
    load: () => import('../commands/approve.js'),
  },
  deny: {
    summary: 'deny a permission request of a running agent',
    details: `${REQUEST_DETAILS} Without --message, a denial ends the turn of the main agent; a sub-agent continues.`,
    words: [{ name: 'ID' }],
    flags: ['--message'],
    load: () => import('../commands/deny.js'),
  },
  web: {
    summary: 'serve the control room: agents, requests and sessions on a page in a browser',
    details:
      'The page is on 127.0.0.1, and its address has a token. It shows running troupes and recorded sessions.',
    flags: ['--port', '--open'],
    load: () => import('../commands/web.js'),
  },
  agents: {
    summary: 'list the agents, and where each is defined',
    flags: ['--json'],
    shared: ['--agents', '--setting-sources'],
    load: () => import('../commands/agents.js'),
  },
  config: {
    summary: 'print the effective settings, and where each comes from',
    flags: ['--json'],
    shared: SETTINGS_FLAGS,
    load: () => import('../commands/config.js'),
  },
  trust: {
    summary: 'trust the settings of this folder or DIR and of the folders in it',
    words: [{ name: 'DIR', isOptional: true, offer: 'folders' }],
    flags: ['--list', '--remove', '--json'],
    usage: ['[DIR]', '[DIR] --remove', '--list [--json]'],
    load: () => import('../commands/trust.js'),
  },
  permissions: {
    summary: 'list the rules, explain or test decisions, print the decisions of a session',
    details: `list: the mode, the workspace and every rule with its file
explain: the decision on one tool call here, and what would change it:
  'Bash(git push)', 'Edit(src/a.ts)', 'Bash({"command":"make"})'
eval: what rules decide on your cases, one JSON object a line; - is stdin
log: every decision of a session; without ID of the newest session of this folder

Exit codes: 0 done; 1 eval: a decision differs from what its case expects; 2 a flag, settings or a file cannot be used.`,
    actions: {
      list: {
        flags: ['--json'],
        shared: RULE_FLAGS,
        load: () => import('../commands/permissions/list-rules.js'),
      },
      explain: {
        words: [{ name: "'TOOL(INPUT)'" }],
        flags: ['--json'],
        shared: RULE_FLAGS,
        load: () => import('../commands/permissions/explain-use.js'),
      },
      eval: {
        words: [{ name: 'FILE', offer: 'files' }],
        flags: ['--json'],
        load: () => import('../commands/permissions/eval-cases.js'),
      },
      log: {
        words: [{ name: 'ID', isOptional: true }],
        flags: ['--json'],
        load: () => import('../commands/permissions/show-audit.js'),
      },
    },
  },
  mcp: MCP,
  a2a: {
    summary: 'serve agents to programs that speak A2A, the Agent2Agent protocol',
    details: 'serve: over HTTP, with an agent card; needs the package @a2a-js/sdk',
    actions: {
      serve: {
        flags: ['--host', '--port', '--token-file'],
        shared: SERVE_FLAGS,
        load: () => import('../commands/a2a/serve.js'),
      },
    },
  },
  plugin: PLUGIN,
  doctor: {
    summary: 'check that this machine and folder have what a run needs',
    flags: ['--mcp', '--json'],
    shared: [...SETTINGS_FLAGS, ...MCP_FLAGS],
    load: () => import('../commands/doctor.js'),
  },
  team: {
    summary: 'run a team file, or only check it',
    details:
      'Exit codes: 0 every task completed; 1 a task failed; 2 a flag, settings or the file cannot be used; 130 and 143 interrupted.',
    actions: {
      run: {
        words: [{ name: 'FILE', offer: 'files' }],
        flags: ['--input', '--report', '--resume'],
        shared: [
          '--json',
          '--model',
          '--fallback-model',
          '--max-concurrent-agents',
          '--max-budget-usd',
          '--sandbox',
          '--wait-for-approval',
          ...RULE_FLAGS,
          ...MCP_FLAGS,
          '--verbose',
        ],
        load: () => import('../commands/team/run-team.js'),
      },
      validate: {
        words: [{ name: 'FILE', offer: 'files' }],
        flags: ['--json'],
        shared: ['--setting-sources'],
        load: () => import('../commands/team/validate-team.js'),
      },
    },
  },
  acp: {
    summary: 'serve an editor over the Agent Client Protocol, on stdin and stdout',
    flags: ['--agent', '--effort', '--allow-dangerously-skip-permissions'],
    shared: [...SERVE_FLAGS, '--plugin-dir', '--verbose'],
    load: () => import('../commands/acp.js'),
  },
  completion: {
    summary: 'print a completion script for a shell',
    details: 'For bash: source <(troupe completion bash)',
    words: [{ name: 'bash|zsh|fish', offer: ['bash', 'zsh', 'fish'] }],
    flags: [],
    load: () => import('../commands/completion.js'),
  },
  demo: {
    summary: 'watch a coordinator and three workers repair a small library',
    flags: ['--model', '--verbose', '--web'],
    load: () => import('../demo/run-demo.js'),
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]; // the object's own keys

export function commandOf(name: CommandName): Command {
  return COMMANDS[name];
}

export function isCommandName(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(COMMANDS, word);
}

/** The actions of a command, each with the words that call it: one for a command that does one thing. */
export function actionsOf(name: CommandName): readonly (readonly [label: string, Action])[] {
  const command = commandOf(name);
  if (!('actions' in command)) return [[name, command]];
  return Object.entries(command.actions).map(([action, one]) => [`${name} ${action}`, one]);
}

export function flagsOf({ flags, shared = [] }: Action): readonly FlagName[] {
  return [...flags, ...shared];
}
