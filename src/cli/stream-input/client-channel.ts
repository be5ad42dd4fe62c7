import { randomUUID } from 'node:crypto';
import type { InputLine } from './input-line.js';

type ResponseLine = Extract<InputLine, { type: 'control_response' }>;

/** Requests to the client on stdout, with their responses on stdin. */
export interface ClientChannel {
  /**
   * Send a request and resolve with the client's response. An abort withdraws the request.
   *
   * @throws Error with the error of the client, or if the client is gone; the signal's reason
   */
  request(request: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
  /** @returns whether the response belongs to a request of this channel */
  take(line: ResponseLine): boolean;
  /** Reject all open and later requests: the client is gone. */
  close(): void;
}

export function createClientChannel(write: (line: object) => void): ClientChannel {
  const prefix = `req_${randomUUID().slice(0, 8)}`;
  const open = new Map<string, (answer: ResponseLine['answer'] | 'gone') => void>();
  let count = 0;
  let isClosed = false;

  return {
    request: (request, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(GONE));
        if (signal?.aborted === true) return reject(signal.reason as Error);
        count += 1;
        const id = `${prefix}_${count}`;
        const settle = (answer: ResponseLine['answer'] | 'gone'): void => {
          open.delete(id);
          signal?.removeEventListener('abort', withdraw);
          if (answer === 'gone') reject(new Error(GONE));
          else if (answer.ok) resolve(answer.response);
          else reject(new Error(`the client answered with an error: ${answer.error}`));
        };
        const withdraw = (): void => {
          open.delete(id);
          write({ type: 'control_cancel_request', request_id: id });
          reject(signal?.reason as Error);
        };
        open.set(id, settle);
        signal?.addEventListener('abort', withdraw, { once: true });
        write({ type: 'control_request', request_id: id, request });
      }),
    take({ requestId, answer }) {
      const settle = open.get(requestId);
      settle?.(answer);
      return settle !== undefined || requestId.startsWith(prefix); // a late one was withdrawn
    },
    close() {
      isClosed = true;
      for (const settle of open.values()) settle('gone');
    },
  };
}

const GONE = 'the client is gone: stdin was closed';
