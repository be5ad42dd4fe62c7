import type { Environment } from '../../files/folders.js';
import { mergeSettings } from '../../settings/merge-settings.js';
import type { SettingsLayers } from '../../settings/load-layers.js';
import { loadPlugins, newestFor } from './load-plugins.js';
import { readInstalled } from './plugin-state.js';
import type { PluginScope } from './plugin-scopes.js';

/** An installed or enabled plugin. */
export type ListedPlugin = {
  readonly id: string;
  readonly version?: string;
  readonly scope?: PluginScope | 'managed';
  readonly isEnabled: boolean;
  readonly path?: string;
  readonly description?: string;
  /** Why it is left out, or which of its parts are. */
  readonly problems: readonly string[];
};

/** List the plugins that are installed, and those that settings enable. @throws UsageError if the list cannot be read */
export async function listPlugins(
  { layers }: Pick<SettingsLayers, 'layers'>,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<readonly ListedPlugin[]> {
  const { enabledPlugins = {} } = mergeSettings(layers.map(({ settings }) => settings));
  const installed = readInstalled(env);
  const { loaded, errors } = await loadPlugins({ cwd, env, folders: [], enabled: enabledPlugins });
  const ids = [...new Set([...Object.keys(installed), ...Object.keys(enabledPlugins)])].sort();
  return ids.map((id) => {
    const entry = newestFor(installed[id] ?? [], cwd);
    const plugin = loaded.find((one) => one.id === id);
    const faults = errors.filter((one) => one.plugin === id).map(({ message }) => message);
    return {
      id,
      isEnabled: enabledPlugins[id] === true,
      ...(entry && { version: entry.version, scope: entry.scope, path: entry.installPath }),
      ...(plugin?.description !== undefined && { description: plugin.description }),
      problems: [...faults, ...(plugin?.warnings ?? []), ...(plugin?.notes ?? [])],
    };
  });
}
