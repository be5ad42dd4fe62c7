import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../api/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../api/text.js';
import type { Approvals, PermissionRequest } from '../../api/types.js';
import { PermissionAnswer } from '../../api/permissions/permissions.js';
import type { InputLine } from './input-line.js';
import { toAskLine, toWithdrawnLine } from './control-lines.js';

type AnswerLine = Extract<InputLine, { type: 'control_response' }>;

/** Permission requests on stdout, with their decisions on stdin. */
export interface StdioRequests {
  /** Take a decision. A late or second one is reported on stdout; an invalid one leaves its request open. */
  take(line: AnswerLine): Promise<void>;
  stop(): void;
}

export function createStdioRequests({
  approvals,
  sessionId,
  write,
  complain,
}: {
  approvals: Approvals;
  sessionId: string;
  write: (line: object) => void;
  /** Report an invalid line to the client. */
  complain: (message: string) => void;
}): StdioRequests {
  const open = new Map<string, PermissionRequest>();
  const answered = new Set<string>();

  const stop = approvals.onRequest(
    (request, { signal }) =>
      new Promise((resolve) => {
        const { requestId } = request;
        open.set(requestId, request);
        write(toAskLine(request));
        signal.addEventListener(
          'abort',
          () => {
            open.delete(requestId);
            if (!answered.has(requestId)) write(toWithdrawnLine(requestId));
            resolve(undefined);
          },
          { once: true },
        );
      }),
    { by: 'stdio', kinds: ['permission', 'question', 'plan'] },
  );

  return {
    stop,
    async take({ requestId, answer }) {
      const request = open.get(requestId);
      const parsed = answer.ok ? parseAnswer(answer.response, request) : refusal(answer.error);
      const stayOpen = (why: string): void =>
        complain(`the answer to ${requestId} is invalid, the request stays open: ${why}`);
      if (typeof parsed === 'string') return stayOpen(parsed);
      const isFirst = !answered.has(requestId);
      answered.add(requestId); // before the end of the request, which the client knows
      let receipt: Awaited<ReturnType<Approvals['decide']>>;
      try {
        receipt = await approvals.decide(requestId, parsed, 'stdio');
      } catch (error) {
        if (isFirst) answered.delete(requestId);
        return stayOpen(messageOf(error));
      }
      if (receipt.status === 'accepted') return;
      if (isFirst) answered.delete(requestId);
      if (receipt.status === 'unknown')
        return complain(`there is no permission request with the request_id "${requestId}"`);
      write({
        type: 'system',
        subtype: 'already_decided',
        request_id: requestId,
        status: receipt.status,
        decided_by: receipt.status === 'already_decided' ? receipt.by : null,
        uuid: randomUUID(),
        session_id: sessionId,
      });
    },
  };
}

/** Read a decision, or the reason why it is invalid. An unchanged input was not edited. */
function parseAnswer(
  response: unknown,
  request: PermissionRequest | undefined,
): PermissionAnswer | string {
  const parsed = PermissionAnswer.safeParse(response);
  if (!parsed.success) {
    const nameOf = quotedField('the answer', ['response', 'response']);
    const why = describeRefusal(parsed.error, response, nameOf);
    return `${withFullStop(why)} Answer {"behavior":"allow"} or {"behavior":"deny","message":"why"}.`;
  }
  const answer = parsed.data as PermissionAnswer; // JSON has no undefined
  if (answer.behavior === 'deny' || !isDeepStrictEqual(answer.updatedInput, request?.input))
    return answer;
  const { updatedInput: _unchanged, ...rest } = answer;
  return rest;
}

function refusal(error: string): PermissionAnswer {
  return { behavior: 'deny', message: `the client could not answer: ${error}` };
}
