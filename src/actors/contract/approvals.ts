import type { AnswerReceipt } from '../../core/answer-receipt.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionRequest } from '../../core/events.js';

/**
 * Decides a permission request, or leaves it to other approvers by resolving with nothing. The signal aborts when no
 * decision is needed any more; its reason, a {@link PermissionRequestOverError}, says why.
 */
export type AskHandler = (
  request: PermissionRequest,
  options: AskHandlerOptions,
) => Promise<PermissionAnswer | undefined>;

/** The rest of what a permission handler gets. */
export type AskHandlerOptions = {
  /** Aborts when no decision is needed any more; its reason is a {@link PermissionRequestOverError}. */
  readonly signal: AbortSignal;
};

/** Who a permission handler decides for. */
export type ApproverOptions = {
  /** Name of the approver in the audit and in receipts; `person` if absent. */
  readonly by?: string;
  /** Kinds of requests that the handler gets; all if absent. */
  readonly kinds?: readonly PermissionRequest['kind'][];
};

/** Permission requests that wait, and those who decide them. */
export interface Approvals {
  /** Pending permission requests, oldest first. */
  list(): readonly PermissionRequest[];
  /**
   * Decide a request. Only the first decision counts; the receipt says whether this was the first.
   * @param by name of the approver for the audit
   * @throws UsageError if it is no decision, or if `by` is a name of Troupe itself, of a hook or of a prompt tool
   */
  decide(requestId: string, answer: PermissionAnswer, by?: string): Promise<AnswerReceipt>;
  /**
   * Attach a handler, which gets every permission request, also those that wait already. While no handler is attached,
   * requests are denied.
   * @returns a function that detaches it
   * @throws UsageError for the names that `decide` refuses
   */
  onRequest(handler: AskHandler, options?: ApproverOptions): () => void;
}
