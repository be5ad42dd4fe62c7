import type { RunCommand } from '../../command.js';
import { forgetChoices } from '../../../api/mcp/mcp-files.js';
import { printLines } from '../../output/print.js';

/**
 * `troupe mcp reset-project-choices`: forget which servers of the folder's `.mcp.json` were approved or refused.
 *
 * @returns the exit code
 */
export const run: RunCommand = async (_line, world) => {
  const file = await forgetChoices(world);
  await printLines([
    `The choices about the servers of .mcp.json are removed from ${file}. Those of settings files stay: see troupe config.`,
  ]);
  return 0;
};
