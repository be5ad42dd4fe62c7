import type { Readable } from 'node:stream';
import { describeSystemError } from '../../api/text.js';
import { readLines } from '../../api/json.js';
import type { PreparedRun } from '../run/prepare-run.js';
import { createBadLines } from './bad-lines.js';
import { withClientElicitation } from './client-elicitation.js';
import { createClientChannel } from './client-channel.js';
import {
  createClientSession,
  type ClientSessionOptions,
  type OpenedSession,
} from './client-session.js';
import { toErrorLine } from './control-lines.js';
import { parseInputLine, type InputLine } from './input-line.js';
import { createStdioRequests, type StdioRequests } from './stdio-requests.js';

export type StreamInput = {
  /** Number of invalid lines. */
  readonly badLines: number;
  /** Why prompts were refused, if they were. */
  readonly refusal: string | undefined;
  /** Resolves when stdin has ended and all of its lines were handled. */
  readonly ended: Promise<void>;
  /** Stop reading: the session has ended. */
  stop(): void;
};

/**
 * Serve a stream-json client: its lines drive one session. An invalid line is reported on stderr and as a
 * `system/input_error` on stdout, and the session stays. The end of stdin ends the session when it has nothing more to do.
 */
export function serveStreamInput({
  stdin,
  prepared,
  open,
  asksOnStdio,
  write,
  warn,
}: Omit<ClientSessionOptions, 'channel'> & {
  readonly stdin: Readable;
  readonly asksOnStdio: boolean;
}): StreamInput {
  let lineNumber = 0;
  let isStopped = false;
  let requests: StdioRequests | undefined;
  const channel = createClientChannel(write);

  const openWithAsks = async (run: PreparedRun): Promise<OpenedSession> => {
    const opened = await open(asksOnStdio ? withClientElicitation(run, channel) : run);
    const { approvals, session } = opened;
    const complain = (message: string): void => report(message, lineNumber);
    if (asksOnStdio)
      requests = createStdioRequests({ approvals, sessionId: session.sessionId, write, complain });
    return opened;
  };
  const client = createClientSession({ prepared, channel, open: openWithAsks, write, warn });
  const badLines = createBadLines({ sessionId: () => client.sessionId, write, warn });
  const { report } = badLines;

  const take = async (line: InputLine, at: number): Promise<void> => {
    switch (line.type) {
      case 'user':
        return client.prompt(line, (message) => report(message, at));
      case 'control_request':
        return client.control(line);
      case 'keep_alive':
      case 'control_cancel_request': // no request of a client can be withdrawn
        return;
      case 'control_response':
        if (requests === undefined)
          return report('there was no request: see --permission-prompt-tool stdio', at);
        return requests.take(line);
      case 'bad':
        if (line.requestId !== undefined) write(toErrorLine(line.requestId, line.message));
        return report(line.message, at);
      default:
        return line satisfies never;
    }
  };

  const serve = async (): Promise<void> => {
    let taken: Promise<void> = Promise.resolve();
    try {
      for await (const text of readLines(stdin)) {
        lineNumber += 1;
        const at = lineNumber;
        const line = parseInputLine(text);
        if (line === undefined) continue;
        if (line.type === 'control_response' && channel.take(line)) continue;
        taken = taken.then(() => take(line, at));
      }
    } catch (error) {
      if (!isStopped) report(`stdin cannot be read: ${describeSystemError(error)}`, lineNumber);
    }
    channel.close(); // the client cannot answer any more
    await taken;
    requests?.stop();
    client.end();
  };

  return {
    get badLines() {
      return badLines.count;
    },
    get refusal() {
      return client.refusal;
    },
    ended: serve(),
    stop() {
      isStopped = true;
      requests?.stop();
      stdin.destroy();
    },
  };
}
