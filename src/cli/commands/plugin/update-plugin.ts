import type { RunCommand } from '../../command.js';
import { updatePlugin } from '../../../api/extensions/plugins.js';
import { printLines, warn } from '../../output/print.js';
import { scopeOf } from './plugin-scope.js';

/**
 * `troupe plugin update`: read the marketplace of a plugin again, and install its present version.
 *
 * @returns the exit code
 * @throws UsageError if the plugin is not installed there, or cannot be used
 */
export const run: RunCommand = async (line, world) => {
  const updated = await updatePlugin(line.words[0] ?? '', scopeOf(line), world);
  const { id, before, version, plugin } = updated;
  warn(plugin.warnings);
  const how = before === version ? `is at ${version}` : `was ${before} and is ${version} now`;
  await printLines([`The plugin ${id} ${how}.`]);
  return 0;
};
