import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { findServer } from '../../../api/mcp/mcp-files.js';
import { printJson, printLines } from '../../output/print.js';

/**
 * `troupe mcp get`: print an MCP server as its files have it. Nothing is started.
 *
 * @returns the exit code
 * @throws UsageError for a server that no file has
 */
export const run: RunCommand = async (line, world) => {
  const [name = ''] = line.words;
  const found = await findServer(name, world);
  if (found.length === 0)
    throw new UsageError(`There is no MCP server "${name}". See troupe mcp list.`);
  if (line.given.has('--json')) await printJson(found);
  else
    await printLines(
      found.flatMap(({ scope, file, server }) => [
        `${name}, scope ${scope}, in ${file}:`,
        JSON.stringify(server, undefined, 2),
      ]),
    );
  return 0;
};
