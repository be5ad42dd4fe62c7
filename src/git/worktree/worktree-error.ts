import { TroupeError } from '../../core/errors.js';

/** A git worktree could not be made. The message says what would work. */
export class WorktreeError extends TroupeError {
  override readonly name = 'WorktreeError';
  readonly code = 'WORKTREE_FAILED';
}
