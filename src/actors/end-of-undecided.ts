import type { TaskId } from '../core/ids.js';
import type { PermissionRequestEnd } from './permission-request-over-error.js';
import type { SessionRuntime } from './session-types.js';

/** How a request ended that nobody has decided: its task, or one above it, is ending; otherwise it was withdrawn. */
export function endOfUndecided(
  { board }: Pick<SessionRuntime, 'board'>,
  taskId: TaskId,
): PermissionRequestEnd {
  for (let id: TaskId | undefined = taskId; id !== undefined; id = board.find(id)?.parentId)
    if (!isOpen(board.actorOf(id)?.getSnapshot().value)) return { status: 'ended' };
  return { status: 'withdrawn' };
}

/** Reads the state of a task's machine: running, and not told to end. */
function isOpen(value: unknown): boolean {
  const { running } = Object(value) as { readonly running?: unknown };
  return running === 'active';
}
