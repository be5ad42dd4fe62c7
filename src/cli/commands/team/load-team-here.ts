import type { Folder } from '../../command.js';
import { TeamFileError, loadTeamIn } from '../../../api/extensions/teams.js';
import type { SettingSource, TeamDefinition } from '../../../api/types.js';
import { printJson, warn } from '../../output/print.js';

/** Read a team file. @returns undefined for an invalid file; all its problems are printed */
export async function loadTeamHere(
  file: string,
  {
    sources,
    isJson,
  }: { readonly sources: readonly SettingSource[] | undefined; readonly isJson: boolean },
  { cwd, env }: Folder,
): Promise<TeamDefinition | undefined> {
  try {
    return await loadTeamIn({ cwd, env, sources }, file);
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    if (isJson) await printJson([{ valid: false, problems: error.problems }]);
    else warn(error.problems);
    return undefined;
  }
}
