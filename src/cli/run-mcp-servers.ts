import { UsageError } from '../core/errors.js';
import { loadMcpConfig, type LoadedMcpConfig } from '../extensions/mcp/load-config.js';
import { loadProjectServers } from '../extensions/mcp/load-project-servers.js';
import { problemOfServerName, type McpServers } from '../extensions/mcp/server-config.js';
import type { LoadedSettings } from '../extensions/settings/load-settings.js';
import type { McpArguments, SettingsArguments } from './arguments/command.js';

type Folder = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly layers: readonly LoadedSettings[];
};

/**
 * The MCP servers that a command line leads to in a folder: those of `--mcp-config`, a later one before an earlier one of
 * the same name, and those of the project that the user's settings enable.
 *
 * @throws UsageError for a `--mcp-config` that cannot be used; what is wrong with the project's file is a warning
 */
export async function loadRunMcpServers(
  {
    mcpConfigs,
    usesOnlyGivenServers,
    settingSources,
  }: McpArguments & Pick<SettingsArguments, 'settingSources'>,
  { cwd, env, layers }: Folder,
): Promise<LoadedMcpConfig> {
  const given = await Promise.all(
    mcpConfigs.map((one) => loadMcpConfig(one, { env, name: '--mcp-config' })),
  );
  const readsProject = !usesOnlyGivenServers && (settingSources?.includes('project') ?? true);
  const named = Object.assign({}, ...given.map(({ servers }) => servers)) as McpServers; // of such records
  const project = readsProject
    ? loadProjectServers({ cwd, env, layers, known: Object.keys(named) })
    : { servers: {}, warnings: [] };
  const servers: McpServers = { ...project.servers, ...named };
  const names = Object.keys(servers);
  for (const name of names) {
    const problem = problemOfServerName(name, names); // of two files
    if (problem !== undefined) throw new UsageError(`--mcp-config: ${problem}.`);
  }
  return { servers, warnings: [...given.flatMap(({ warnings }) => warnings), ...project.warnings] };
}
