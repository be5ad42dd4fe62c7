import { TroupeError } from '../../core/errors.js';

/** Why a permission request ended before its handler had decided. */
export type PermissionRequestEnd =
  /** A decision was accepted; `by` is the approver who gave it, which may be the handler itself. */
  | {
      readonly status: 'answered';
      /** The approver who decided. */
      readonly by: string;
    }
  /** The agent does not need the call any more: its turn was interrupted, for example. */
  | { readonly status: 'withdrawn' }
  /** The agent, an agent above it, or the session is ending. */
  | { readonly status: 'ended' };

/**
 * The `reason` of the signal that a permission handler gets: a decision is not needed any more. Its `name` is
 * `AbortError`, as for every aborted wait.
 *
 * @example
 * signal.addEventListener('abort', () => {
 *   const { end } = signal.reason as PermissionRequestOverError
 *   show(end.status === 'answered' ? `answered by ${end.by}` : end.status)
 * })
 */
export class PermissionRequestOverError extends TroupeError {
  override readonly name = 'AbortError';
  readonly code = 'PERMISSION_REQUEST_OVER';
  /** How the request ended. */
  readonly end: PermissionRequestEnd;

  constructor(end: PermissionRequestEnd) {
    super(describeEnd(end), { details: { ...end } });
    this.end = end;
  }
}

function describeEnd(end: PermissionRequestEnd): string {
  switch (end.status) {
    case 'answered':
      return `${end.by} has answered the permission request: no other decision is needed.`;
    case 'withdrawn':
      return 'The agent has withdrawn its permission request: no decision is needed.';
    case 'ended':
      return 'The agent that made the permission request is ending: no decision is needed.';
    default:
      return end satisfies never;
  }
}
