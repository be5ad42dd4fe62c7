import type { RunCommand } from '../../command.js';
import { installPlugin, mergeSettings } from '../../../api/extensions/plugins.js';
import { printLines, warn } from '../../output/print.js';
import { scopeOf, settingsHere } from './plugin-scope.js';

/**
 * `troupe plugin install`: copy plugins of marketplaces into the user's folder, and enable them.
 *
 * @returns the exit code
 * @throws UsageError if a plugin or its marketplace cannot be used
 */
export const run: RunCommand = async (line, world) => {
  const scope = scopeOf(line);
  const { layers } = await settingsHere(world);
  const { extraKnownMarketplaces: extra = {} } = mergeSettings(
    layers.map(({ settings }) => settings),
  );
  for (const name of line.words) {
    const { id, version, plugin } = await installPlugin(name, { scope, extra }, world);
    warn(plugin.warnings);
    await printLines([`The plugin ${id} (${version}) is installed and enabled (${scope}).`]);
  }
  return 0;
};
