import { FLAGS, type Flag, type FlagName } from './arguments/flags.js';
import {
  SUBCOMMAND_FLAGS,
  SUBCOMMAND_NAMES,
  SUBCOMMANDS,
  usagesOf,
  type Subcommand,
  type SubcommandName,
} from './arguments/subcommands.js';

const INDENT = '  ';
/** Where the second column of a list begins. */
const COLUMN = 34;

export type Topic = readonly [title: string, flags: readonly FlagName[]];

/** The flags of a run by topic; those that no topic names come last. */
const TOPICS: readonly Topic[] = [
  ['Sessions', ['--continue', '--resume', '--fork-session', '--session-id', '--name']],
  [
    'Model and limits',
    [
      '--model',
      '--fallback-model',
      '--effort',
      '--max-turns',
      '--max-budget-usd',
      '--max-concurrent-agents',
    ],
  ],
  [
    'Permissions',
    [
      '--permission-mode',
      '--allowedTools',
      '--disallowedTools',
      '--dangerously-skip-permissions',
      '--permission-prompt-tool',
      '--sandbox',
      '--add-dir',
      '--trust',
    ],
  ],
  [
    'Agents, tools and settings',
    [
      '--agent',
      '--agents',
      '--tools',
      '--mcp-config',
      '--strict-mcp-config',
      '--settings',
      '--setting-sources',
      '--system-prompt',
      '--system-prompt-file',
      '--append-system-prompt',
      '--append-system-prompt-file',
    ],
  ],
  [
    'Input and output',
    [
      '--print',
      '--output-format',
      '--input-format',
      '--json-schema',
      '--include-partial-messages',
      '--replay-user-messages',
      '--forward-subagent-text',
      '--no-session-persistence',
      '--verbose',
    ],
  ],
];

/** What else a command's own help says. */
const DETAILS: Partial<Record<SubcommandName, string>> = {
  permissions: `list: the mode, the workspace and every rule with its file
explain: what would be decided on one tool call here, and what would change it:
  'Bash(git push)', 'Edit(src/a.ts)', 'Bash({"command":"make"})'
eval: what rules decide on cases of your own, one JSON object a line; - is stdin
log: every decision of a session, of the newest of this folder without ID

Exit codes: 0 done; 1 eval: a decision differs from what its case expects; 2 a flag, settings or a file cannot be used.`,
  team: 'Exit codes: 0 every task completed; 1 a task failed; 2 a flag, settings or the file cannot be used; 130 and 143 interrupted.',
  kill: 'ID is the ID of a task, an agent or a session, or an agent\'s name: see "troupe ps".',
  send: 'ID is the ID of an agent, its task or its session, or its name: see "troupe ps".',
  logs: 'ID is the ID of a task, an agent or a session, or an agent\'s name: see "troupe ps".',
  completion: `For bash: source <(troupe completion bash)`,
};

/** What `troupe --help` prints, in lines of at most `width` columns if the words allow it. */
export function helpText(width: number): string {
  const commands = SUBCOMMAND_NAMES.map((name) => row(name, SUBCOMMANDS[name].help, width));
  const flags = flagTopics().map(([title, names]) => `${title}:\n${flagRows(names, width)}`);
  return `Usage:
${row('troupe [PROMPT] [flags]', 'start a session at the terminal', width)}
${row('troupe -p PROMPT [flags]', 'run one prompt, print the answer, and end; stdin adds to the prompt', width)}
${row('troupe COMMAND [flags]', 'run one of these commands; "troupe help COMMAND" explains it', width)}

Commands:
${commands.join('\n')}

${flags.join('\n\n')}

${wrapped(
  'The answer goes to stdout, everything else to stderr. Exit codes: 0 success; 1 the run ended in an error; 2 a flag, settings or a file cannot be used; 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM.',
  width,
)}
`;
}

/** Every flag of a run, by topic. */
export function flagTopics(): readonly Topic[] {
  const topical = new Set(TOPICS.flatMap(([, names]) => names));
  const others = (Object.keys(FLAGS) as FlagName[]) // the table's own keys
    .filter((name) => !topical.has(name) && !SUBCOMMAND_FLAGS.includes(name));
  return [...TOPICS, ['Other', others]];
}

export function detailsOf(name: SubcommandName): string | undefined {
  return DETAILS[name];
}

/** What `troupe help COMMAND` prints. */
export function commandHelpText(name: SubcommandName, width: number): string {
  const { help, flags }: Subcommand = SUBCOMMANDS[name];
  const details = detailsOf(name);
  return `Usage:
${usagesOf(name)
  .map((usage) => INDENT + usage)
  .join('\n')}

${wrapped(`${help[0]?.toUpperCase() ?? ''}${help.slice(1)}.`, width)}
${
  details === undefined
    ? ''
    : `\n${details
        .split('\n')
        .map((line) => wrapped(line, width))
        .join('\n')}\n`
}${flags.length === 0 ? '' : `\nFlags:\n${flagRows(flags, width)}\n`}`;
}

function flagRows(names: readonly FlagName[], width: number): string {
  return names
    .map((name) => {
      const { aliases = [], value, help }: Flag = FLAGS[name];
      const all = [...aliases.filter((alias) => alias.length === 2), name].join(', ');
      return row(value === undefined ? all : `${all} ${value}`, help, width);
    })
    .join('\n');
}

/** Two columns; the second is wrapped, and begins on a line of its own if the first is too long. */
function row(left: string, right: string, width: number): string {
  const indent = ' '.repeat(COLUMN + INDENT.length + 1);
  const [first = '', ...more] = wrapped(right, Math.max(width - indent.length, 20)).split('\n');
  const rest = more.map((line) => `\n${indent}${line}`).join('');
  return left.length > COLUMN
    ? `${INDENT}${left}\n${indent}${first}${rest}`
    : `${INDENT}${left.padEnd(COLUMN)} ${first}${rest}`;
}

function wrapped(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string; // never empty
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
