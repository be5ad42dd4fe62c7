import type { RunCommand } from '../../command.js';
import { removePlugin } from '../../../api/extensions/plugins.js';
import { printLines } from '../../output/print.js';
import { scopeOf } from './plugin-scope.js';

/**
 * `troupe plugin remove`: remove a plugin from a scope, with its files if no other scope has it.
 *
 * @returns the exit code
 * @throws UsageError if the plugin is not installed there
 */
export const run: RunCommand = async (line, world) => {
  const scope = scopeOf(line);
  const keepsData = line.given.has('--keep-data');
  const id = await removePlugin(line.words[0] ?? '', { scope, keepsData }, world);
  await printLines([`The plugin ${id} is removed (${scope}).`]);
  return 0;
};
