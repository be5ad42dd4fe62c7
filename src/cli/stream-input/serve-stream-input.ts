import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { messageOf } from '../../core/errors.js';
import { readLines } from '../../core/read-lines.js';
import type { Approvals, SessionHandle } from '../../actors/public-types.js';
import { sendPrompt } from '../../actors/send-prompt.js';
import type { PreparedRun } from '../prepare-run.js';
import { toErrorLine } from './control-lines.js';
import { answerControlRequest } from './control-requests.js';
import { parseInputLine, type InputLine } from './input-line.js';
import { createStdioAsks, type StdioAsks } from './stdio-asks.js';

export type StreamInput = {
  /** Lines that could not be used. */
  readonly badLines: number;
  readonly userMessages: number;
  /** Reads no further: the session has ended. */
  stop(): void;
};

/**
 * Serves a stream-json client: its messages become prompts, its control requests are done and answered, its answers
 * decide asks. A line that cannot be used is told of on stderr and as a `system/input_error` on stdout, and the session
 * goes on. The end of stdin ends the session when it has nothing more to do.
 */
export function serveStreamInput({
  stdin,
  session,
  approvals,
  prepared,
  asksOnStdio,
  write,
  warn,
}: {
  stdin: Readable;
  session: SessionHandle;
  approvals: Approvals;
  prepared: PreparedRun;
  asksOnStdio: boolean;
  write: (line: object) => void;
  warn: (line: string) => void;
}): StreamInput {
  const { sessionId } = session;
  let lineNumber = 0;
  let badLines = 0;
  let userMessages = 0;

  const complain = (message: string): void => {
    badLines += 1;
    warn(`stdin:${lineNumber}: ${message}`);
    write({
      type: 'system',
      subtype: 'input_error',
      line: lineNumber,
      message,
      uuid: randomUUID(),
      session_id: sessionId,
    });
  };
  const asks: StdioAsks | undefined = asksOnStdio
    ? createStdioAsks({ approvals, sessionId, write, complain })
    : undefined;

  const take = async (line: InputLine): Promise<void> => {
    switch (line.type) {
      case 'user':
        userMessages += 1;
        return sendPrompt(session, line.content).catch((error: unknown) =>
          complain(messageOf(error)),
        );
      case 'control_request': {
        const { permissions } = prepared.options;
        const { definitions } = prepared;
        return write(answerControlRequest(line, { session, permissions, definitions }));
      }
      case 'control_response':
        if (asks === undefined)
          return complain('nothing was asked: asks come with --permission-prompt-tool stdio');
        return asks.take(line);
      case 'keep_alive':
        return;
      case 'bad':
        if (line.requestId !== undefined) write(toErrorLine(line.requestId, line.message));
        return complain(line.message);
      default:
        return line satisfies never;
    }
  };

  const serve = async (): Promise<void> => {
    for await (const text of readLines(stdin)) {
      lineNumber += 1;
      const line = parseInputLine(text);
      if (line !== undefined) await take(line);
    }
  };
  let isStopped = false;
  void serve()
    .catch((error: unknown) => {
      if (!isStopped) complain(`stdin cannot be read: ${messageOf(error)}`);
    })
    .finally(() => {
      asks?.stop(); // the client can answer nothing more
      session.end();
    });

  return {
    get badLines() {
      return badLines;
    },
    get userMessages() {
      return userMessages;
    },
    stop() {
      isStopped = true;
      asks?.stop();
      stdin.destroy();
    },
  };
}
