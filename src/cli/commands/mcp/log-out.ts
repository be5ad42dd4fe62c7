import type { RunCommand } from '../../command.js';
import { logOut } from '../../../api/mcp/mcp-login.js';
import { printLines } from '../../output/print.js';
import { findRemoteServer } from './load-folder-servers.js';

const SAID = {
  absent: 'You are not logged in at',
  revoked: 'You are logged out, here and at',
  removed: 'You are logged out here; the tokens were not revoked at',
} as const;

/**
 * `troupe mcp logout`: revoke the login at an MCP server, and remove it.
 *
 * @returns the exit code
 * @throws UsageError for a server that no file has
 */
export const run: RunCommand = async (line, world) => {
  const { name, config, env } = await findRemoteServer(
    line.words[0] ?? '',
    line.values('--mcp-config'),
    world,
  );
  const how = await logOut({ config, env });
  await printLines([`${SAID[how]} the MCP server "${name}".`]);
  return 0;
};
