import { join } from 'node:path';
import { realRoots, type Environment } from '../../../files/folders.js';
import { readPlantedFile } from '../../../files/read-planted-file.js';
import { UsageError } from '../../../core/errors.js';
import { isPlaceholder } from '../../../processes/sandbox/placeholders.js';
import type { LoadedSettings } from '../../../settings/files/load-settings.js';
import { parseMcpConfig, type LoadedMcpConfig } from './load-config.js';
import type { McpServers } from './server-config.js';

const PROJECT_FILE = '.mcp.json';

export type ProjectServers = LoadedMcpConfig & {
  readonly file: string;
  /** Every server of the file, enabled or not; absent if the file cannot be used. */
  readonly names?: readonly string[];
  /** Servers of the file that the user or a setting has disabled. */
  readonly disabled?: readonly string[];
};

/** Settings that a project cannot write. Its own settings cannot enable its servers. */
const OF_THE_USER: readonly string[] = ['userSettings', 'flagSettings', 'policySettings'];

/**
 * The servers of a project's own file that the user's settings enable. A fault of the file is only a warning, since the
 * file came with the checkout.
 *
 * @param known names of servers from other origins
 */
export async function loadProjectServers({
  cwd,
  env,
  layers,
  known,
  own,
  isTrusted,
}: {
  readonly cwd: string;
  readonly env: Environment;
  readonly layers: readonly LoadedSettings[];
  readonly known: readonly string[];
  /** Servers that the user has chosen in another place. */
  readonly own?: { readonly enabled: readonly string[]; readonly disabled: readonly string[] };
  /** Whether commands of the folder's files may run. Called only if one would. */
  readonly isTrusted: () => boolean | Promise<boolean>;
}): Promise<ProjectServers> {
  const file = join(cwd, PROJECT_FILE);
  if (isPlaceholder(file)) return { file, servers: {}, warnings: [], names: [] };
  const read = readPlantedFile(file, { roots: realRoots(cwd) });
  if (read.status === 'missing') return { file, servers: {}, warnings: [], names: [] };
  if (read.status === 'unusable')
    return { file, servers: {}, warnings: [`${file}: the MCP servers are left out: ${read.why}.`] };
  let loaded: LoadedMcpConfig;
  try {
    loaded = parseMcpConfig(read.text, { file, env, drops: true });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      file,
      servers: {},
      warnings: [`${error.message} The servers of this file are left out.`],
    };
  }
  const isApproved = approvedBy(layers, own?.enabled);
  const disabled = [
    ...layers.flatMap((one) => one.settings.disabledMcpjsonServers ?? []),
    ...(own?.disabled ?? []),
  ];

  const wanted = Object.entries(loaded.servers).filter(
    ([name]) => !disabled.includes(name) && !known.includes(name),
  );
  const isEnabled = ([name]: readonly [string, unknown]): boolean => isApproved(name);
  const approved = wanted.filter(isEnabled);
  const helped = await leaveOutHelpers(Object.fromEntries(approved), file, isTrusted);
  const waiting = wanted.filter((one) => !isEnabled(one)).map(([name]) => name);
  const hint = `These MCP servers of ${file} need your approval: ${waiting.join(', ')}. To start them, give --mcp-config ${PROJECT_FILE}, or name them in "enabledMcpjsonServers" of your user settings.`;
  return {
    file,
    names: Object.keys(loaded.servers),
    disabled: Object.keys(loaded.servers).filter((name) => disabled.includes(name)),
    servers: helped.servers,
    warnings: [
      ...(approved.length > 0 || waiting.length === 0 ? loaded.warnings : []),
      ...helped.warnings,
      ...(waiting.length > 0 ? [hint] : []),
    ],
  };
}

/** Make the test whether the user has approved a server of the project. @param more names from other places */
export function approvedBy(
  layers: readonly LoadedSettings[],
  more: readonly string[] = [],
): (name: string) => boolean {
  const settings = layers.filter(({ source }) => OF_THE_USER.includes(source));
  const enablesAll = settings.findLast(
    (one) => one.settings.enableAllProjectMcpServers !== undefined,
  )?.settings.enableAllProjectMcpServers;
  const enabled = [...settings.flatMap((one) => one.settings.enabledMcpjsonServers ?? []), ...more];
  return (name) => enablesAll === true || enabled.includes(name);
}

/** Leave out the servers whose `headersHelper` may not run here. @param isTrusted called only if there are some */
export async function leaveOutHelpers(
  servers: McpServers,
  file: string,
  isTrusted: () => boolean | Promise<boolean>,
): Promise<LoadedMcpConfig> {
  const helped = Object.entries(servers).flatMap(([name, server]) =>
    'headersHelper' in server && server.headersHelper !== undefined ? [name] : [],
  );
  if (helped.length === 0 || (await isTrusted())) return { servers, warnings: [] };
  return {
    servers: Object.fromEntries(Object.entries(servers).filter(([name]) => !helped.includes(name))),
    warnings: helped.map(
      (name) =>
        `${file}: the MCP server "${name}" is left out: its "headersHelper" runs only in a trusted folder. Run troupe trust here first.`,
    ),
  };
}
