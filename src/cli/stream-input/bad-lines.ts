import { randomUUID } from 'node:crypto';

/** Invalid lines of a client: the client and stderr get a report of each, and all are counted. */
export interface BadLines {
  readonly count: number;
  /** @param line the number of the line, from 1 */
  report(message: string, line: number): void;
}

export function createBadLines({
  sessionId,
  write,
  warn,
}: {
  readonly sessionId: () => string;
  readonly write: (line: object) => void;
  readonly warn: (line: string) => void;
}): BadLines {
  let count = 0;
  return {
    get count() {
      return count;
    },
    report(message, line) {
      count += 1;
      warn(`stdin:${line}: ${message}`);
      const head = { type: 'system', subtype: 'input_error', line, message };
      write({ ...head, uuid: randomUUID(), session_id: sessionId() });
    },
  };
}
