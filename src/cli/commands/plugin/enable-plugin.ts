import type { RunCommand } from '../../command.js';
import { enablePlugin, findToEnable } from '../../../api/extensions/plugins.js';
import { printLines } from '../../output/print.js';
import { scopeOf } from './plugin-scope.js';

/**
 * `troupe plugin enable`: enable an installed plugin in the settings of a scope.
 *
 * @returns the exit code
 * @throws UsageError if the plugin is not installed
 */
export const run: RunCommand = async (line, world) => {
  const { id } = findToEnable(line.words[0] ?? '', world.env);
  const file = await enablePlugin(id, true, scopeOf(line), world);
  await printLines([`The plugin ${id} is enabled in ${file}.`]);
  return 0;
};
