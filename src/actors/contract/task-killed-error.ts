import { TroupeError } from '../../core/errors.js';

/** The task whose result was awaited was killed. */
export class TaskKilledError extends TroupeError {
  override readonly name = 'TaskKilledError';
  readonly code = 'TASK_KILLED';
  /** Who killed the task, or why. */
  readonly reason: string;

  constructor(id: string, reason: string) {
    super(`The task ${id} was killed: ${reason}`, { details: { id, reason } });
    this.reason = reason;
  }
}
