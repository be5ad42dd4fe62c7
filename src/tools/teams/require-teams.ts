import { TasksUnavailableError } from '../tasks/require-tasks.js';
import type { ToolUseTasks } from '../tool-context-groups.js';
import type { TeamCapabilities } from '../capabilities/team-capabilities.js';

/** @throws TasksUnavailableError if the tool was called without an orchestrator. */
export function requireTeams(toolName: string, { teams }: ToolUseTasks): TeamCapabilities {
  if (teams === undefined) throw new TasksUnavailableError(toolName);
  return teams;
}
