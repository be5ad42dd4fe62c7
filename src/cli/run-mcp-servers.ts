import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/errors.js';
import { loadMcpConfig, type LoadedMcpConfig } from '../extensions/mcp/load-config.js';
import { problemOfServerName, type McpServers } from '../extensions/mcp/server-config.js';
import type { LoadedSettings } from '../extensions/settings/load-settings.js';
import type { RunArguments } from './arguments/command.js';

const PROJECT_FILE = '.mcp.json';

/** Settings that a project cannot write: its own word is no leave to start its servers. */
const OF_THE_USER: readonly string[] = ['userSettings', 'flagSettings', 'policySettings'];

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
  { mcpConfigs, usesOnlyGivenServers, settingSources }: RunArguments,
  { cwd, env, layers }: Folder,
): Promise<LoadedMcpConfig> {
  const given = await Promise.all(
    mcpConfigs.map((one) => loadMcpConfig(one, { env, name: '--mcp-config' })),
  );
  const file = join(cwd, PROJECT_FILE);
  const readsProject = !usesOnlyGivenServers && (settingSources?.includes('project') ?? true);
  const named = Object.assign({}, ...given.map(({ servers }) => servers)) as McpServers; // of such records
  const project =
    readsProject && existsSync(file)
      ? await loadProject(file, { env, layers, known: Object.keys(named) })
      : { servers: {}, warnings: [] };
  const servers: McpServers = { ...project.servers, ...named };
  const names = Object.keys(servers);
  for (const name of names) {
    const problem = problemOfServerName(name, names); // of two files
    if (problem !== undefined) throw new UsageError(`--mcp-config: ${problem}.`);
  }
  return { servers, warnings: [...given.flatMap(({ warnings }) => warnings), ...project.warnings] };
}

async function loadProject(
  file: string,
  { env, layers, known }: Omit<Folder, 'cwd'> & { readonly known: readonly string[] },
): Promise<LoadedMcpConfig> {
  let loaded: LoadedMcpConfig;
  try {
    loaded = await loadMcpConfig(file, { env, name: file });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { servers: {}, warnings: [`${error.message} The servers of this file are left out.`] };
  }
  const settings = layers.filter(({ source }) => OF_THE_USER.includes(source));
  const enablesAll = settings.findLast(
    (one) => one.settings.enableAllProjectMcpServers !== undefined,
  )?.settings.enableAllProjectMcpServers;
  const enabled = settings.flatMap((one) => one.settings.enabledMcpjsonServers ?? []);
  const disabled = layers.flatMap((one) => one.settings.disabledMcpjsonServers ?? []);

  const wanted = Object.entries(loaded.servers).filter(
    ([name]) => !disabled.includes(name) && !known.includes(name),
  );
  const isEnabled = ([name]: readonly [string, unknown]): boolean =>
    enablesAll === true || enabled.includes(name);
  const started = wanted.filter(isEnabled);
  const waiting = wanted.filter((one) => !isEnabled(one)).map(([name]) => name);
  const hint = `These MCP servers of ${file} wait for your leave: ${waiting.join(', ')}. To start them give --mcp-config ${PROJECT_FILE}, or name them in "enabledMcpjsonServers" of your own settings.`;
  return {
    servers: Object.fromEntries(started),
    warnings: [
      ...(started.length > 0 ? loaded.warnings : []),
      ...(waiting.length > 0 ? [hint] : []),
    ],
  };
}
