import type { Environment } from '../../files/folders.js';
import { mergeSettings } from '../../settings/merge/merge-settings.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';
import { given } from '../../core/json/given.js';
import { approvedBy } from '../mcp/servers/load-project-servers.js';
import { loadSkillsAndPlugins } from '../skills/load-skills.js';
import { loadPlugins, newestFor, SKILLS_ORIGIN, splitPluginId } from './load-plugins.js';
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

/**
 * List the plugins that are installed, that settings enable, and that are in folders of skills.
 *
 * @throws UsageError if the list of installed plugins cannot be read
 */
export async function listPlugins(
  { layers }: Pick<SettingsLayers, 'layers'>,
  place: {
    readonly cwd: string;
    readonly env: Environment;
    readonly isTrusted: () => boolean | Promise<boolean>;
  },
): Promise<readonly ListedPlugin[]> {
  const { cwd, env } = place;
  const { enabledPlugins = {} } = mergeSettings(layers.map(({ settings }) => settings));
  const installed = readInstalled(env);
  const { plugins: skillPlugins } = await loadSkillsAndPlugins(place);
  const { loaded, errors } = await loadPlugins({
    ...place,
    folders: [],
    skillPlugins,
    isApproved: approvedBy(layers),
    enabled: enabledPlugins,
  });
  const named = [...loaded.map(({ id }) => id), ...errors.map(({ plugin }) => plugin)];
  const known = [...Object.keys(installed), ...Object.keys(enabledPlugins)];
  const ids = [...new Set([...known, ...named])].sort();
  return ids.map((id) => {
    const entry = newestFor(installed[id] ?? [], cwd);
    const plugin = loaded.find((one) => one.id === id);
    const faults = errors.filter((one) => one.plugin === id).map(({ message }) => message);
    const isOfSkills = splitPluginId(id).origin === SKILLS_ORIGIN;
    return {
      id,
      isEnabled: enabledPlugins[id] ?? isOfSkills,
      ...(isOfSkills && plugin && given({ version: plugin.version, path: plugin.path })),
      ...(entry && { version: entry.version, scope: entry.scope, path: entry.installPath }),
      ...(plugin?.description !== undefined && { description: plugin.description }),
      problems: [...faults, ...(plugin?.warnings ?? []), ...(plugin?.notes ?? [])],
    };
  });
}
