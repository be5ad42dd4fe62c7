/** The files of MCP servers, for front ends. */
import { UsageError } from '../../core/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import {
  McpFileServerConfig,
  problemOfServerName,
} from '../../extensions/mcp/servers/server-config.js';

export {
  addServer,
  findServer,
  forgetChoices,
  removeServer,
} from '../../extensions/mcp/servers/change-servers.js';

export { expandVariables } from '../../extensions/mcp/servers/expand-variables.js';
export type { McpFileServerConfig } from '../../extensions/mcp/servers/server-config.js';

/** Check a server before it is written; variables such as `${TOKEN}` stay. @throws UsageError */
export function checkServer(name: string, server: unknown): object {
  const problem = problemOfServerName(name, []);
  if (problem !== undefined) throw new UsageError(`${problem}.`);
  const { data, error } = McpFileServerConfig.safeParse(server);
  if (error === undefined) return data;
  throw new UsageError(withFullStop(describeRefusal(error, server, quotedField('the server'))));
}
