import { UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { loadMcpConfig, type LoadedMcpConfig } from '../../extensions/mcp/servers/load-config.js';
import { loadManagedServers } from '../../extensions/mcp/servers/load-managed-servers.js';
import {
  leaveOutHelpers,
  loadProjectServers,
} from '../../extensions/mcp/servers/load-project-servers.js';
import { loadUserServers } from '../../extensions/mcp/servers/load-user-servers.js';
import {
  problemOfServerName,
  type McpServerConfig,
  type McpServers,
} from '../../extensions/mcp/servers/server-config.js';
import type { SettingSource } from '../../settings/files/settings-files.js';
import { managedLimits } from './managed-limits.js';
import type { Workspace } from './workspace.js';

export type ServerChoices = {
  /** JSON texts or paths; a later server replaces an earlier one of the same name. */
  readonly mcpConfigs?: readonly string[];
  readonly mcpServers?: McpServers;
  /** Name of the option of both, for errors. */
  readonly mcpOption: string;
  /** The servers of files that are not named are left out. */
  readonly usesOnlyGivenServers: boolean;
  /** Whether commands of the folder's files may run. */
  readonly isTrusted: () => boolean | Promise<boolean>;
};

export type LoadedServers = LoadedMcpConfig & {
  /** Every configured server, also those that do not start; absent if the servers of the project are unknown. */
  readonly names?: readonly string[];
  /** Servers of files that are disabled. */
  readonly disabled?: readonly string[];
};

type Place = Pick<Workspace, 'cwd' | 'env' | 'layers'> & Partial<Pick<Workspace, 'outerEnv'>>;
type Layer = LoadedMcpConfig & { readonly file: string };

/**
 * The MCP servers of a workspace: the given ones, those of the user, and those of the project that the user has enabled. Of
 * two servers with one name the given one counts, then that of the user for this folder, of the project, of the user, of
 * a plugin.
 *
 * @throws UsageError for a given or managed server that is invalid; problems of other files are warnings
 */
export async function loadServers(
  choices: ServerChoices,
  sources: readonly SettingSource[] | undefined,
  place: Place,
  ofPlugins: McpServers = {},
): Promise<LoadedServers> {
  const limits = await managedLimits(place);
  const isLocked = limits?.locks.has('mcp') === true;
  const loaded = await loadAll(choices, isLocked ? [] : sources, place, ofPlugins);
  if (limits?.limitServers === undefined) return loaded;
  const { servers, leftOut } = limits.limitServers(loaded.servers);
  const lines = Object.entries(leftOut).map(
    ([name, why]) => `The MCP server "${name}" is left out: ${why}.`,
  );
  return { ...loaded, servers, warnings: [...loaded.warnings, ...lines] };
}

async function loadAll(
  choices: ServerChoices,
  sources: readonly SettingSource[] | undefined,
  place: Place,
  ofPlugins: McpServers,
): Promise<LoadedServers> {
  const { mcpConfigs = [], mcpServers = {}, mcpOption } = choices;
  const configs = await Promise.all(
    mcpConfigs.map((one) => loadMcpConfig(one, { env: place.env, name: mcpOption })),
  );
  const named = Object.assign(
    {},
    ...configs.map(({ servers }) => servers),
    mcpServers,
  ) as McpServers; // all sources are such records
  const names = Object.keys(named);
  for (const name of names) {
    const problem = problemOfServerName(name, names); // two files may have the same name
    if (problem !== undefined) throw new UsageError(`${mcpOption}: ${problem}.`);
  }
  const managed = loadManagedServers(place.env);
  if (managed !== undefined) return useManaged(managed, named);
  const found = choices.usesOnlyGivenServers
    ? { layers: [], warnings: [], names: undefined, disabled: [] }
    : await loadFiles(named, sources, place, choices);
  const plugins = { servers: ofPlugins, warnings: [], file: 'plugins' };
  const { servers, warnings } = addLayers(
    named,
    choices.usesOnlyGivenServers ? [] : [...found.layers, plugins],
  );
  return {
    ...given({ names: found.names && [...Object.keys(servers), ...found.names] }),
    servers,
    disabled: found.disabled.filter((name) => !Object.hasOwn(servers, name)),
    warnings: [...configs.flatMap((one) => one.warnings), ...found.warnings, ...warnings],
  };
}

/** The layers of the files that were not named, highest first. */
async function loadFiles(
  named: McpServers,
  sources: readonly SettingSource[] = ['user', 'project', 'local'],
  place: Place,
  { isTrusted }: ServerChoices,
): Promise<{
  readonly layers: readonly Layer[];
  readonly warnings: readonly string[];
  readonly names: readonly string[] | undefined;
  readonly disabled: readonly string[];
}> {
  const readsOwn = sources.includes('user') || sources.includes('local');
  const own = readsOwn ? loadUserServers(place) : undefined;
  const local =
    own === undefined || !sources.includes('local')
      ? undefined
      : await leaveOutHelpers(own.local.servers, own.file, isTrusted);
  const known = [...Object.keys(named), ...Object.keys(local?.servers ?? {})];
  const project = sources.includes('project')
    ? await loadProjectServers({ ...place, known, isTrusted, ...given({ own }) })
    : { servers: {}, warnings: [], names: undefined, disabled: [], file: '' };
  const file = own?.file ?? '';
  const layers: readonly (Layer | undefined)[] = [
    local && { ...local, warnings: [...(own?.local.warnings ?? []), ...local.warnings], file },
    project,
    sources.includes('user') && own !== undefined ? { ...own.user, file } : undefined,
  ];
  return {
    layers: layers.filter((one) => one !== undefined),
    warnings: own?.warnings ?? [],
    names: project.names,
    disabled: [...(own?.off ?? []), ...(project.disabled ?? [])],
  };
}

/** Add the servers of files; a server is left out if its name conflicts with an earlier one. */
function addLayers(named: McpServers, layers: readonly Layer[]): LoadedMcpConfig {
  const servers: Record<string, McpServerConfig> = { ...named };
  const warnings: string[] = [];
  for (const layer of layers) {
    warnings.push(...layer.warnings);
    for (const [name, server] of Object.entries(layer.servers)) {
      if (Object.hasOwn(servers, name)) continue;
      const problem = problemOfServerName(name, Object.keys(servers));
      if (problem === undefined) servers[name] = server;
      else warnings.push(`${layer.file}: ${problem}. The MCP server "${name}" is left out.`);
    }
  }
  return { servers, warnings };
}

/** Use the servers of the administrator, and those that a program has in itself. */
function useManaged(managed: Layer, named: McpServers): LoadedServers {
  const own = Object.entries(named).filter(([, { type }]) => type === 'sdk');
  const others = Object.keys(named).filter((name) => named[name]?.type !== 'sdk');
  const servers = { ...Object.fromEntries(own), ...managed.servers };
  return {
    servers,
    names: Object.keys(servers),
    warnings: [
      ...managed.warnings,
      ...(others.length === 0
        ? []
        : [
            `These MCP servers are left out: ${others.join(', ')}. ${managed.file} names all that may be used.`,
          ]),
    ],
  };
}
