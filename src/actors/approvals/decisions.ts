import type { AnyActorRef } from 'xstate';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import type { RequestId } from '../../core/ids.js';
import type { Answered } from '../../machines/approval/permission-request.js';
import type { RequestOwners } from './request-owners.js';

/** Decisions on their way to the desk, and its receipts on their way back. Late decisions are recorded. */
export interface Decisions {
  /** Note the session of a new request, whose audit a late decision belongs to. */
  expect(requestId: RequestId, session: RequestOwners): void;
  send(requestId: RequestId, decision: Omit<Answered, 'at'>): Promise<AnswerReceipt>;
  /** The desk's receipt for a decision. */
  receive(answerId: string, receipt: AnswerReceipt): void;
}

/** The newest requests, remembered for late decisions. */
const REQUESTS_KEPT = 1_000;

export function createDecisions(root: () => AnyActorRef, now: () => number): Decisions {
  const waiting = new Map<string, (receipt: AnswerReceipt) => void>();
  const sessions = new Map<RequestId, RequestOwners>();
  let count = 0;
  return {
    expect(requestId, session) {
      sessions.set(requestId, session);
      if (sessions.size > REQUESTS_KEPT) sessions.delete(sessions.keys().next().value as RequestId);
    },
    send(requestId, decision) {
      const answerId = String((count += 1));
      return new Promise((resolve) => {
        waiting.set(answerId, (receipt) => {
          if (receipt.status !== 'accepted')
            sessions.get(requestId)?.audit.late(requestId, decision.by, receipt);
          resolve(receipt);
        });
        const answered = { ...decision, at: now() };
        root().send({ type: 'desk.answer', requestId, answerId, answered });
      });
    },
    receive(answerId, receipt) {
      waiting.get(answerId)?.(receipt);
      waiting.delete(answerId);
    },
  };
}
