import { FLAGS, type Flag } from './arguments/flags.js';

/** What `troupe --help` prints. */
export function helpText(): string {
  const lines = Object.entries(FLAGS).map(([name, flag]: [string, Flag]) => {
    const names = [...(flag.aliases?.filter((alias) => alias.length === 2) ?? []), name].join(', ');
    const usage = flag.value === undefined ? names : `${names} ${flag.value}`;
    return `  ${usage.padEnd(34)} ${flag.help}`;
  });
  return `Usage:
  troupe -p PROMPT [flags]           runs a prompt in this folder; more of the prompt may come on stdin
  troupe --input-format stream-json --output-format stream-json [flags]
                                     a session over stdin and stdout, one JSON object a line
  troupe config [--json]             the settings that count here, and where each comes from
  troupe trust [DIR] [--remove]      trust the settings of this folder or DIR, and of what is below; --list lists them
  troupe demo [--model MODEL]        a coordinator and three workers repair a small library

Flags:
${lines.join('\n')}

The answer goes to stdout, all else to stderr. Exit codes: 0 success; 1 the run ended in an error;
2 a flag, settings or a file cannot be used; 130 and 143 ended by SIGINT and SIGTERM.
`;
}
