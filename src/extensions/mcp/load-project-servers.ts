import { join } from 'node:path';
import { realRoots } from '../../files/folders.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { UsageError } from '../../core/errors.js';
import { isPlaceholder } from '../../processes/sandbox/placeholders.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import { parseMcpConfig, type LoadedMcpConfig } from './load-config.js';

const PROJECT_FILE = '.mcp.json';

export type ProjectServers = LoadedMcpConfig & {
  /** Every server of the file, enabled or not; absent if the file cannot be used. */
  readonly names?: readonly string[];
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
  isTrusted,
}: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly layers: readonly LoadedSettings[];
  readonly known: readonly string[];
  /** Whether commands of the folder's files may run. Called only if one would. */
  readonly isTrusted: () => boolean | Promise<boolean>;
}): Promise<ProjectServers> {
  const file = join(cwd, PROJECT_FILE);
  if (isPlaceholder(file)) return { servers: {}, warnings: [], names: [] };
  const read = readPlantedFile(file, { roots: realRoots(cwd) });
  if (read.status === 'missing') return { servers: {}, warnings: [], names: [] };
  if (read.status === 'unusable')
    return { servers: {}, warnings: [`${file}: the MCP servers are left out: ${read.why}.`] };
  let loaded: LoadedMcpConfig;
  try {
    loaded = parseMcpConfig(read.text, { file, env });
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
  const approved = wanted.filter(isEnabled);
  const isHelped = ([, server]: (typeof wanted)[number]): boolean =>
    'headersHelper' in server && server.headersHelper !== undefined;
  const runsHelpers = !approved.some(isHelped) || (await isTrusted());
  const started = approved.filter((one) => runsHelpers || !isHelped(one));
  const untrusted = approved
    .filter((one) => !started.includes(one))
    .map(
      ([name]) =>
        `${file}: the MCP server "${name}" is left out: its "headersHelper" runs only in a trusted folder. Run troupe trust here first.`,
    );
  const waiting = wanted.filter((one) => !isEnabled(one)).map(([name]) => name);
  const hint = `These MCP servers of ${file} need your approval: ${waiting.join(', ')}. To start them, give --mcp-config ${PROJECT_FILE}, or name them in "enabledMcpjsonServers" of your user settings.`;
  return {
    names: Object.keys(loaded.servers),
    servers: Object.fromEntries(started),
    warnings: [
      ...(started.length > 0 || waiting.length === 0 ? loaded.warnings : []),
      ...untrusted,
      ...(waiting.length > 0 ? [hint] : []),
    ],
  };
}
