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
};

/** Permission requests that wait, and those who decide them. */
export interface Approvals {
  /** Asks that wait, oldest first. */
  list(): readonly PermissionRequest[];
  /**
   * The first answer counts; the receipt says whether this was it.
   * @param by who answers, for the audit
   * @throws UsageError where it is no answer, or `by` is a name that Troupe itself, a hook or a prompt tool signs with
   */
  decide(requestId: string, answer: PermissionAnswer, by?: string): Promise<AnswerReceipt>;
  /**
   * Attach a handler, which gets every permission request, also those that wait already. While no handler is attached,
   * requests are denied.
   * @returns how to detach it
   * @throws UsageError for the names that `decide` refuses
   */
  onRequest(handler: AskHandler, options?: ApproverOptions): () => void;
}
