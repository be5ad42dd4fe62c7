/** Team files and the results of their runs, for front ends. */
import { join } from 'node:path';
import { withBuiltInAgents } from '../../context/built-in-agents.js';
import { given } from '../../core/json/given.js';
import type { TaskId } from '../../core/ids.js';
import type { KeptWorktree } from '../../core/worktree.js';
import { loadAgents } from '../../extensions/agents/load-agents.js';
import { loadTeam } from '../../extensions/teams/load-team.js';
import type { TeamDefinition } from '../../extensions/teams/team-definition.js';
import type { Environment } from '../../files/folders.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { TaskEntry, toPastTasks } from '../../journal/entries/task-entries.js';
import type { SettingSource } from '../../settings/files/settings-files.js';
import { toolNames } from '../tools/tools.js';

export { describeKept } from '../../core/worktree.js';
export { planTeam } from '../../extensions/teams/plan-team.js';
export { TeamFileError } from '../../extensions/teams/team-file-error.js';
export { readWorkflow } from '../../journal/readers/workflow-record.js';
export { toText } from '../../workflow/expressions/evaluate.js';

/**
 * Read a team file with the agents and tools of a folder.
 *
 * @throws TeamFileError with every problem of the file
 */
export async function loadTeamIn(
  {
    cwd,
    env,
    sources,
  }: {
    readonly cwd: string;
    readonly env: Environment;
    readonly sources: readonly SettingSource[] | undefined;
  },
  file: string,
): Promise<TeamDefinition> {
  const { agents } = await loadAgents({ cwd, env, ...given({ sources }) });
  return loadTeam(file, {
    agents: withBuiltInAgents(agents).map(({ name }) => name),
    tools: toolNames(),
  });
}

/** The git worktrees that tasks of a session have left. @param directory folder of the session */
export function keptWorktrees(directory: string): ReadonlyMap<TaskId, KeptWorktree> {
  const entries = readWholeJournal(join(directory, 'tasks.jsonl'), TaskEntry);
  const kept = new Map<TaskId, KeptWorktree>();
  for (const [id, { state }] of toPastTasks(entries, () => ''))
    if (state.worktree !== undefined) kept.set(id, state.worktree);
  return kept;
}
