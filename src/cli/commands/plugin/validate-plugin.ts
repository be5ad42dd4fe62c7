import type { RunCommand } from '../../command.js';
import { resolve } from 'node:path';
import { validatePlugin } from '../../../api/extensions/plugins.js';
import { printJson, printLines } from '../../output/print.js';

/**
 * `troupe plugin validate`: check the folder of a plugin or a marketplace.
 *
 * @returns the exit code: 1 if something would be left out
 * @throws UsageError for a folder that does not exist
 */
export const run: RunCommand = async (line, world) => {
  const found = await validatePlugin(resolve(world.cwd, line.words[0] ?? '.'), world);
  const { errors, warnings, counts } = found;
  if (line.given.has('--json')) await printJson([found]);
  else
    await printLines([
      ...errors.map((text) => `Error: ${text}`),
      ...warnings.map((text) => `Warning: ${text}`),
      ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
      errors.length === 0 ? 'Valid.' : 'Not valid.',
    ]);
  return errors.length === 0 ? 0 : 1;
};
