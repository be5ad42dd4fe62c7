import type { RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { addServer, checkServer } from '../../../api/mcp/mcp-files.js';
import { oneOf } from '../../arguments/flag-readers.js';
import { printLines } from '../../output/print.js';
import { requireAllowed } from './load-folder-servers.js';

/**
 * `troupe mcp add-json`: write an MCP server, as JSON, into a file.
 *
 * @returns the exit code
 * @throws UsageError for a server that is not valid, or a name that is taken
 */
export const run: RunCommand = async (line, world) => {
  const [name = '', text = ''] = line.words;
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      'The server is not JSON: {"type": "http", "url": "…"}.',
      {},
      { cause: error },
    );
  }
  const server = checkServer(name, written);
  await requireAllowed(name, server, world);
  const file = await addServer(name, server, oneOf(line, '--scope') ?? 'local', world);
  await printLines([`The MCP server "${name}" is in ${file}.`]);
  return 0;
};
