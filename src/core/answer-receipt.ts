import type { PermissionKept } from './permission-kept.js';

/** Receipt of a decision on a permission request: whether it counted. */
export type AnswerReceipt =
  /** The decision counts. */
  | {
      readonly status: 'accepted';
      /** The outcome of each update for a settings file; absent if there are none. */
      readonly kept?: readonly PermissionKept[];
    }
  /** Another approver was first. */
  | {
      readonly status: 'already_decided';
      /** The approver whose decision counts. */
      readonly by: string;
    }
  /** The agent that made the request was interrupted or has ended. */
  | { readonly status: 'cancelled' }
  /** No request has the ID. */
  | { readonly status: 'unknown' };
