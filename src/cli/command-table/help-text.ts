import { flagOf, RUN_FLAGS_BY_TOPIC, type FlagName } from '../arguments/flags.js';
import { usagesOf } from './usage.js';
import { actionsOf, COMMAND_NAMES, commandOf, flagsOf, type CommandName } from './commands.js';
import { twoColumns, wrapWords } from '../output/two-columns.js';

const INDENT = '  ';
/** The column at which the second text of a list begins. */
const COLUMN = 34;

/** The text of `troupe --help`, in lines of at most `width` columns if the words allow it. */
export function helpText(width: number): string {
  const commands = COMMAND_NAMES.map((name) => row(name, commandOf(name).summary, width));
  const flags = RUN_FLAGS_BY_TOPIC.map(
    ([title, names]) =>
      `${title}:\n${flagRows(
        names.map((name) => [name, flagOf(name).help]),
        width,
      )}`,
  );
  return `Usage:
${row('troupe [PROMPT] [flags]', 'start a session at the terminal', width)}
${row('troupe -p PROMPT [flags]', 'run one prompt, print the answer, and end; stdin adds to the prompt', width)}
${row('troupe COMMAND [flags]', 'run one of these commands; "troupe help COMMAND" explains it', width)}

Commands:
${commands.join('\n')}

${flags.join('\n\n')}

${wrapWords(
  'The answer goes to stdout, everything else to stderr. Exit codes: 0 success; 1 the run ended in an error; 2 a flag, settings or a file cannot be used; 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM.',
  width,
)}
`;
}

/** A flag with its line of the help. */
export type FlagHelp = readonly [name: FlagName, help: string];

/** The flags of all actions of a command. */
export function flagHelpsOf(name: CommandName): readonly FlagHelp[] {
  const actions = actionsOf(name).map(([, action]) => action);
  const own = new Set(actions.flatMap(({ flags }) => flags));
  const all = new Set([...own, ...actions.flatMap(flagsOf)]);
  return [...all].map((flag) => [
    flag,
    actions.find(({ help }) => help?.[flag] !== undefined)?.help?.[flag] ?? flagOf(flag).help,
  ]);
}

/** The text of `troupe help COMMAND`. */
export function commandHelpText(name: CommandName, width: number): string {
  const { summary, details } = commandOf(name);
  const flags = flagHelpsOf(name);
  return `Usage:
${usagesOf(name)
  .map((usage) => INDENT + usage)
  .join('\n')}

${wrapWords(`${summary[0]?.toUpperCase() ?? ''}${summary.slice(1)}.`, width)}
${
  details === undefined
    ? ''
    : `\n${details
        .split('\n')
        .map((line) => wrapWords(line, width))
        .join('\n')}\n`
}${flags.length === 0 ? '' : `\nFlags:\n${flagRows(flags, width)}\n`}`;
}

function flagRows(flags: readonly FlagHelp[], width: number): string {
  return flags
    .map(([name, help]) => {
      const { aliases = [], value } = flagOf(name);
      const all = [...aliases.filter((alias) => alias.length === 2), name].join(', ');
      return row(value === undefined ? all : `${all} ${value}`, help, width);
    })
    .join('\n');
}

function row(left: string, right: string, width: number): string {
  return twoColumns(left, right, { width, column: COLUMN });
}
