import { TroupeError } from '../../core/errors.js';
import type { ToolUseContext } from '../tool.js';
import type { TaskCapabilities } from '../task-capabilities.js';

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
export function requireTasks(toolName: string, { tasks }: ToolUseContext): TaskCapabilities {
  if (tasks === undefined) throw new TasksUnavailableError(toolName);
  return tasks;
}
