import { FLAGS, type Flag } from './arguments/flags.js';
import { SUBCOMMAND_NAMES, SUBCOMMANDS, usageOf } from './arguments/subcommands.js';

/** What `troupe --help` prints. */
export function helpText(): string {
  const lines = Object.entries(FLAGS).map(flagLine);
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

/** What `troupe permissions --help` prints, for each of its actions. */
export function permissionsHelpText(): string {
  const flags = SUBCOMMANDS.permissions.flags.filter((name) => name !== '--json');
  return `Usage:
  troupe permissions list [--json] [flags]
                                     mode, workspace and every rule with its place
  troupe permissions explain 'TOOL(INPUT)' [--json] [flags]
                                     what would be decided on one use here, and what would change it:
                                     'Bash(git push)', 'Edit(src/a.ts)', 'Bash({"command":"make"})'
  troupe permissions eval FILE [--json]
                                     what rules decide on cases of your own, one JSON object a line; - is stdin
  troupe permissions log [ID] [--json]
                                     every decision of a session, of the newest of this folder without ID

Flags of list and explain:
${flags.map((name) => flagLine([name, FLAGS[name]])).join('\n')}

Exit codes: 0 as asked; 1 a case of eval is decided otherwise than expected; 2 a flag, settings or a file cannot be used.
`;
}

function flagLine([name, flag]: [string, Flag]): string {
  const names = [...(flag.aliases?.filter((alias) => alias.length === 2) ?? []), name].join(', ');
  const usage = flag.value === undefined ? names : `${names} ${flag.value}`;
  return `  ${usage.padEnd(34)} ${flag.help}`;
}
