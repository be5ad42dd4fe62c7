import { forgetChoices } from '../../../api/mcp-files.js';
import type { CommandLine } from '../../arguments/command-line.js';
import type { World } from '../../run-settings.js';
import { printLines } from '../print.js';

/**
 * `troupe mcp reset-project-choices`: forget which servers of the folder's `.mcp.json` were approved or refused.
 *
 * @returns the exit code
 */
export async function run(_line: CommandLine, world: World): Promise<number> {
  const file = await forgetChoices(world);
  await printLines([
    `The choices about the servers of .mcp.json are removed from ${file}. Those of settings files stay: see troupe config.`,
  ]);
  return 0;
}
