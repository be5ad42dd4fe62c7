import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { findServer, removeServer } from '../../../api/mcp/mcp-files.js';
import { oneOf } from '../../arguments/flag-readers.js';
import { printLines } from '../../output/print.js';

/**
 * `troupe mcp remove`: remove an MCP server from its file.
 *
 * @returns the exit code
 * @throws UsageError for a server that no file has, or that several have
 */
export const run: RunCommand = async (line, world) => {
  const [name = ''] = line.words;
  const wanted = oneOf(line, '--scope');
  const all = await findServer(name, world);
  const found = wanted === undefined ? all : all.filter(({ scope }) => scope === wanted);
  const [first, second] = found;
  if (first === undefined)
    throw new UsageError(
      `There is no MCP server "${name}"${wanted === undefined ? '' : ` of scope ${wanted}`}. See troupe mcp list.`,
    );
  if (second !== undefined) {
    const scopes = found.map(({ scope }) => scope).join(' and ');
    throw new UsageError(`Several files have the MCP server "${name}": give --scope, ${scopes}.`);
  }
  const file = await removeServer(name, first.scope, world);
  await printLines([`The MCP server "${name}" is removed from ${file}.`]);
  return 0;
};
