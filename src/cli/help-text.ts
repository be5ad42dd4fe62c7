import { FLAGS, type Flag } from './arguments/flags.js';
import { SUBCOMMAND_NAMES, SUBCOMMANDS, usageOf } from './arguments/subcommands.js';

/** What `troupe --help` prints. */
export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, flag]: [string, Flag]) => {
    const names = [...(flag.aliases?.filter((alias) => alias.length === 2) ?? []), name].join(', ');
    const usage = flag.value === undefined ? names : `${names} ${flag.value}`;
    return `  ${usage.padEnd(34)} ${flag.help}`;
  });
  const commands = SUBCOMMAND_NAMES.map((name) => {
    const { help } = SUBCOMMANDS[name];
    const usage = usageOf(name);
    return usage.length > 34
      ? `  ${usage}\n${' '.repeat(37)}${help}`
      : `  ${usage.padEnd(34)} ${help}`;
  });
  return `Usage:
  troupe [PROMPT] [flags]            a session at a terminal, prompt after prompt
  troupe -p PROMPT [flags]           runs a prompt in this folder; more of the prompt may come on stdin
  troupe --input-format stream-json --output-format stream-json [flags]
                                     a session over stdin and stdout, one JSON object a line
${commands.join('\n')}

Flags:
${lines.join('\n')}

The answer goes to stdout, all else to stderr. Exit codes: 0 success; 1 the run ended in an error;
2 a flag, settings or a file cannot be used; 130 and 143 ended by SIGINT and SIGTERM.
`;
}
