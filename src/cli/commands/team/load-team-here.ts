import { given } from '../../../api/given.js';
import type { SettingSource, TeamDefinition } from '../../../api/types.js';
import { loadAgents, withBuiltInAgents } from '../../../api/agents.js';
import { loadTeam } from '../../../extensions/teams/load-team.js';
import { TeamFileError } from '../../../extensions/teams/team-file-error.js';
import { getAllBaseTools } from '../../../tools/pool/base-tools.js';
import type { World } from '../../run-settings.js';
import { printJson, warn } from '../print.js';

/** Read a team file. @returns undefined for a file that cannot be used; all its problems are printed */
export async function loadTeamHere(
  file: string,
  {
    sources,
    isJson,
  }: { readonly sources: readonly SettingSource[] | undefined; readonly isJson: boolean },
  { cwd, env }: World,
): Promise<TeamDefinition | undefined> {
  const { agents } = await loadAgents({ cwd, env, ...given({ sources }) });
  try {
    return await loadTeam(file, {
      agents: withBuiltInAgents(agents).map(({ name }) => name),
      tools: getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    });
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    if (isJson) await printJson([{ valid: false, problems: error.problems }]);
    else warn(error.problems);
    return undefined;
  }
}
