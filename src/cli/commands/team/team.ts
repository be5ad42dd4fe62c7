import { loadAgents } from '../../../extensions/agents/load-agents.js';
import { withBuiltInAgents } from '../../../context/built-in-agents.js';
import type { SettingSource } from '../../../extensions/settings/settings-files.js';
import { loadTeam } from '../../../extensions/teams/load-team.js';
import type { TeamDefinition } from '../../../extensions/teams/team-definition.js';
import { TeamFileError } from '../../../extensions/teams/team-file-error.js';
import { getAllBaseTools } from '../../../tools/base-tools.js';
import type { Command } from '../../arguments/command.js';
import { printJson, printLines, warn } from '../print.js';

type TeamCommand = Extract<Command, { type: 'team' }>;

/**
 * `troupe team`.
 *
 * @returns the exit code: 2 where the file cannot be used, with all that is wrong told
 */
export async function runTeamCommand(command: TeamCommand): Promise<number> {
  let team: TeamDefinition;
  try {
    const sources = command.action === 'run' ? command.run.settingSources : command.settingSources;
    team = await loadTeamHere(command.file, sources);
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    if (command.isJson) await printJson([{ valid: false, problems: error.problems }]);
    else warn(error.problems);
    return 2;
  }
  if (command.action === 'run') {
    const { runTeam } = await import('./run-team.js');
    return runTeam(team, command);
  }
  const { name, tasks } = team;
  const count = Object.keys(tasks).length;
  if (command.isJson) await printJson([{ valid: true, name, tasks: Object.keys(tasks) }]);
  else
    await printLines([
      `${command.file}: ${name}, ${count} task${count === 1 ? '' : 's'}: it can be run.`,
    ]);
  return 0;
}

async function loadTeamHere(
  file: string,
  sources: readonly SettingSource[] | undefined,
): Promise<TeamDefinition> {
  const { cwd, env } = { cwd: process.cwd(), env: process.env };
  const { agents } = await loadAgents({ cwd, env, ...(sources === undefined ? {} : { sources }) });
  return loadTeam(file, {
    agents: withBuiltInAgents(agents).map(({ name }) => name),
    tools: getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  });
}
