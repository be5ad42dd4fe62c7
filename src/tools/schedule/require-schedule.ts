import { TasksUnavailableError } from '../tasks/require-tasks.js';
import type { ToolUseTasks } from '../tool-context-groups.js';
import type { ScheduleCapabilities } from '../capabilities/schedule-capabilities.js';

/** @throws TasksUnavailableError if the tool was called without an orchestrator. */
export function requireSchedule(
  toolName: string,
  { schedule }: ToolUseTasks,
): ScheduleCapabilities {
  if (schedule === undefined) throw new TasksUnavailableError(toolName);
  return schedule;
}
