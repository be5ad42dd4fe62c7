import type { Folder } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import { isRemoteServer, type RemoteServer } from '../../../api/mcp/mcp-login.js';
import { expandVariables, type McpFileServerConfig } from '../../../api/mcp/mcp-files.js';
import { loadServers, type LoadedServers } from '../../../api/options/load-servers.js';
import { managedLimits } from '../../../api/options/managed-limits.js';
import type { Workspace } from '../../../api/options/workspace.js';
import { isFolderTrusted, loadRunSettings } from '../../run/run-settings.js';

/** Load the servers of a folder, and those of `--mcp-config`. @param mcpConfigs its values */
export async function loadFolderServers(
  mcpConfigs: readonly string[],
  world: Folder,
): Promise<{ readonly loaded: LoadedServers; readonly workspace: Workspace }> {
  const trust = { trustsFolder: false };
  const workspace = await loadFolderSettings(world);
  const loaded = await loadServers(
    {
      mcpConfigs,
      mcpOption: '--mcp-config',
      usesOnlyGivenServers: false,
      isTrusted: () => isFolderTrusted(trust, world),
    },
    undefined,
    workspace,
  );
  return { loaded, workspace };
}

/** @throws UsageError for a server that settings do not let a session use */
export async function requireAllowed(name: string, server: object, world: Folder): Promise<void> {
  const workspace = await loadFolderSettings(world);
  const limits = await managedLimits(workspace);
  const { server: read } = expandVariables(server, workspace.env);
  const one = { [name]: read as McpFileServerConfig }; // checked before its variables were replaced
  const why = limits?.limitServers?.(one).leftOut[name];
  if (why !== undefined)
    throw new UsageError(`The MCP server "${name}" may not be used here: ${why}.`);
}

function loadFolderSettings(world: Folder): Promise<Workspace> {
  const none = { trustsFolder: false, settings: [], settingSources: undefined, addDirectories: [] };
  return loadRunSettings(none, world);
}

/** Find the server at an address that a command names. @throws UsageError for any other */
export async function findRemoteServer(
  name: string,
  mcpConfigs: readonly string[],
  world: Folder,
): Promise<RemoteServer & Pick<Workspace, 'cwd' | 'env'>> {
  if (/^https?:\/\//i.test(name) && URL.canParse(name))
    return { ...world, name, config: { type: 'http', url: name } };
  const { loaded, workspace } = await loadFolderServers(mcpConfigs, world);
  const { servers, names = [] } = loaded;
  const config = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (config === undefined) {
    const why = names.includes(name)
      ? `The MCP server "${name}" of .mcp.json needs your approval first, or is disabled.`
      : `There is no MCP server "${name}".`;
    throw new UsageError(`${why} See troupe mcp list.`);
  }
  if (isRemoteServer(config)) return { ...workspace, name, config };
  throw new UsageError(
    `The MCP server "${name}" is a program. Logins are for servers at an address.`,
  );
}
