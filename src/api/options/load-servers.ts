import { UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { loadMcpConfig, type LoadedMcpConfig } from '../../extensions/mcp/load-config.js';
import { loadProjectServers } from '../../extensions/mcp/load-project-servers.js';
import { problemOfServerName, type McpServers } from '../../extensions/mcp/server-config.js';
import type { SettingSource } from '../../settings/settings-files.js';
import type { Workspace } from './workspace.js';

export type ServerChoices = {
  /** JSON texts or paths; a later server replaces an earlier one of the same name. */
  readonly mcpConfigs?: readonly string[];
  readonly mcpServers?: McpServers;
  /** Name of the option of both, for errors. */
  readonly mcpOption: string;
  /** The servers of the project are left out. */
  readonly usesOnlyGivenServers: boolean;
  /** Whether commands of the folder's files may run. */
  readonly isTrusted: () => boolean | Promise<boolean>;
};

export type LoadedServers = LoadedMcpConfig & {
  /** Every configured server, also those that do not start; absent if the servers of the project are unknown. */
  readonly names?: readonly string[];
};

/**
 * The MCP servers of a workspace: the given ones, and those of the project that the user's settings enable.
 *
 * @throws UsageError for a given server that is invalid; problems of the project's file are warnings
 */
export async function loadServers(
  { mcpConfigs = [], mcpServers = {}, mcpOption, usesOnlyGivenServers, isTrusted }: ServerChoices,
  sources: readonly SettingSource[] | undefined,
  { cwd, env, layers }: Pick<Workspace, 'cwd' | 'env' | 'layers'>,
): Promise<LoadedServers> {
  const configs = await Promise.all(
    mcpConfigs.map((one) => loadMcpConfig(one, { env, name: mcpOption })),
  );
  const named: McpServers = Object.assign(
    {},
    ...configs.map(({ servers }) => servers),
    mcpServers,
  ) as McpServers; // all sources are such records
  const readsProject = !usesOnlyGivenServers && (sources?.includes('project') ?? true);
  const project = readsProject
    ? await loadProjectServers({ cwd, env, layers, known: Object.keys(named), isTrusted })
    : { servers: {}, warnings: [], names: undefined };
  const servers: McpServers = { ...project.servers, ...named };
  const names = Object.keys(servers);
  for (const name of names) {
    const problem = problemOfServerName(name, names); // two files may have the same name
    if (problem !== undefined) throw new UsageError(`${mcpOption}: ${problem}.`);
  }
  return {
    ...given({ names: project.names && [...names, ...project.names] }),
    servers,
    warnings: [...configs.flatMap(({ warnings }) => warnings), ...project.warnings],
  };
}
