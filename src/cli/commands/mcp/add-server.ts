import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { addServer, checkServer } from '../../../api/mcp/mcp-files.js';
import type { CommandLine } from '../../arguments/command-line.js';
import { oneOf } from '../../arguments/flag-readers.js';
import { printLines } from '../../output/print.js';
import { requireAllowed } from './load-folder-servers.js';

/**
 * `troupe mcp add`: write an MCP server into a file.
 *
 * @returns the exit code
 * @throws UsageError for a server that is not valid, or a name that is taken
 */
export const run: RunCommand = async (line, world) => {
  const [name = '', place = '', ...args] = line.words;
  const server = checkServer(name, readServer(line, place, args));
  await requireAllowed(name, server, world);
  const file = await addServer(name, server, oneOf(line, '--scope') ?? 'local', world);
  await printLines([`The MCP server "${name}" is in ${file}.`]);
  return 0;
};

function readServer(line: CommandLine, place: string, args: readonly string[]): object {
  const isAddress = /^https?:\/\//i.test(place);
  const type = oneOf(line, '--transport') ?? (isAddress ? 'http' : 'stdio');
  if (type === 'stdio') {
    refuse(line, '--header', 'a program has no headers: give --env');
    const env = Object.fromEntries(line.values('--env').map((one) => pairOf('--env', one, '=')));
    return { type, command: place, args, env };
  }
  refuse(line, '--env', 'an address has no environment: give --header');
  if (args.length > 0) throw new UsageError(`An address takes no arguments: "${args[0]}".`);
  const headers = line.values('--header').map((one) => pairOf('--header', one, ':'));
  return {
    type,
    url: place,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

function refuse(line: CommandLine, flag: '--env' | '--header', why: string): void {
  if (line.given.has(flag)) throw new UsageError(`${flag}: ${why}.`);
}

function pairOf(flag: string, text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  if (at < 1)
    throw new UsageError(
      `${flag}: write NAME${separator === ':' ? ': ' : separator}VALUE; the text has no "${separator}" behind a name.`,
    );
  const value = text.slice(at + 1);
  return [text.slice(0, at).trim(), separator === ':' ? value.trim() : value];
}
