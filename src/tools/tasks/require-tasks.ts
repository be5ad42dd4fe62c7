import { TroupeError } from '../../core/errors.js';
import type { ToolUseTasks } from '../tool-context-groups.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/** A tool that needs tasks was called without an orchestrator. */
export class TasksUnavailableError extends TroupeError {
  override readonly name = 'TasksUnavailableError';
  readonly code = 'TASKS_UNAVAILABLE';

  constructor(toolName: string) {
    super(
      `${toolName} needs a running orchestrator, which owns the tasks: give it a context with \`tasks\`.`,
      { details: { toolName } },
    );
  }
}

/** @throws TasksUnavailableError if the tool was called without an orchestrator. */
export function requireTasks(toolName: string, { control }: ToolUseTasks): TaskCapabilities {
  if (control === undefined) throw new TasksUnavailableError(toolName);
  return control;
}
