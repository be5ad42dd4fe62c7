import type { PluginScope } from '../../../api/plugins.js';
import type { CommandLine } from '../../arguments/command-line.js';
import { oneOf } from '../../arguments/flag-readers.js';
import { loadRunSettings, type World } from '../../run-settings.js';
import type { Workspace } from '../../../api/options/workspace.js';

/** The scope of a command on plugins; the user's settings if absent. */
export function scopeOf(line: CommandLine): PluginScope {
  return oneOf(line, '--scope') ?? 'user';
}

/** The settings of this folder. Those of the folder itself count if it is trusted. */
export function settingsHere(world: World): Promise<Workspace> {
  return loadRunSettings(
    { trustsFolder: false, settings: [], settingSources: undefined, addDirectories: [] },
    world,
  );
}
