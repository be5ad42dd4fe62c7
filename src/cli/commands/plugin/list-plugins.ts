import type { RunCommand } from '../../command.js';
import { listPlugins, type ListedPlugin } from '../../../api/extensions/plugins.js';
import { describeWaiting, isFolderTrusted } from '../../run/run-settings.js';
import { printJson, printTable, warn } from '../../output/print.js';
import { settingsHere } from './plugin-scope.js';

/**
 * `troupe plugin list`: list the plugins that are installed, enabled or in folders of skills. Problems go to stderr.
 *
 * @returns the exit code
 */
export const run: RunCommand = async ({ given }, world) => {
  const workspace = await settingsHere(world);
  const isTrusted = (): Promise<boolean> => isFolderTrusted({ trustsFolder: false }, world);
  const listed = await listPlugins(workspace, { ...world, isTrusted });
  if (given.has('--json')) await printJson([listed]);
  else if (listed.length === 0) await printTable([['No plugin is installed.']]);
  else await printTable(listed.map(toRow));
  warn(describeWaiting(workspace.waiting));
  if (!given.has('--json'))
    warn(listed.flatMap(({ id, problems }) => problems.map((line) => `${id}: ${line}`)));
  return 0;
};

function toRow({ id, version, scope, isEnabled, problems }: ListedPlugin): readonly string[] {
  const state = isEnabled ? 'enabled' : 'disabled';
  return [
    id,
    version ?? '-',
    scope ?? '-',
    problems.length === 0 ? state : `${state}, with problems`,
  ];
}
