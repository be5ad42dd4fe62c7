import type { Folder } from '../../command.js';
import type { PluginScope } from '../../../api/extensions/plugins.js';
import { oneOf } from '../../arguments/flag-readers.js';
import { loadRunSettings } from '../../run/run-settings.js';
import type { Workspace } from '../../../api/options/workspace.js';

/** The scope of a command on plugins; the user's settings if absent. */
export function scopeOf(line: Parameters<typeof oneOf>[0]): PluginScope {
  return oneOf(line, '--scope') ?? 'user';
}

/** The settings of this folder. Those of the folder itself count if it is trusted. */
export function settingsHere(world: Folder): Promise<Workspace> {
  return loadRunSettings(
    { trustsFolder: false, settings: [], settingSources: undefined, addDirectories: [] },
    world,
  );
}
