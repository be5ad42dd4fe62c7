import type { World } from '../../command.js';
import { resolve } from 'node:path';
import type { SettingSource, TeamDefinition } from '../../../api/types.js';
import { judgeTeam } from '../../../api/permissions/judge-team.js';
import { describeDenial } from '../../headless/denied-calls.js';
import { isFolderTrusted, loadRunSettings } from '../../run/run-settings.js';

/** A task of a team that needs approval or is denied. */
export type NeededApproval = {
  readonly task: string;
  /** For people: the call, and the flag that would allow it. */
  readonly line: string;
};

/** Find the commands and tool calls of a team that need approval here. */
export async function findNeededApprovals(
  team: TeamDefinition,
  settingSources: readonly SettingSource[] | undefined,
  world: World,
): Promise<readonly NeededApproval[]> {
  const folder = { ...world, cwd: resolve(world.cwd) };
  const choices = { settings: [], settingSources, addDirectories: [], trustsFolder: false };
  const workspace = await loadRunSettings(choices, folder);
  const isTrusted = await isFolderTrusted(choices, folder);
  const stopped = await judgeTeam(team, workspace, { isRoot: world.isRoot, isTrusted });
  return stopped.map(({ task, behavior, ...use }) => {
    const verdict = behavior === 'deny' ? 'is denied' : 'needs approval';
    return { task, line: describeDenial(use, verdict) };
  });
}
