import { TasksUnavailableError } from '../tasks/require-tasks.js';
import type { ToolUseContext } from '../tool.js';
import type { TeamCapabilities } from '../team-capabilities.js';

/** @throws TasksUnavailableError if the tool was called without an orchestrator. */
export function requireTeams(toolName: string, { teams }: ToolUseContext): TeamCapabilities {
  if (teams === undefined) throw new TasksUnavailableError(toolName);
  return teams;
}
