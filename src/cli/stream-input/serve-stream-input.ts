import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { messageOf } from '../../api/errors.js';
import type { Approvals, SessionHandle } from '../../api/types.js';
import { readLines } from '../../core/read-lines.js';
import { describeSession } from '../../api/query/describe-session.js';
import { sendPrompt } from '../../actors/send-prompt.js';
import type { PreparedRun } from '../prepare-run.js';
import { createClientChannel } from './client-channel.js';
import { toErrorLine, toSuccessLine } from './control-lines.js';
import { answerControlRequest, type Driven } from './control-requests.js';
import { applyInitialize, asksForNothing, asksForTheSame, type Initialized } from './initialize.js';
import { parseInputLine, type InputLine } from './input-line.js';
import { toRefusedResult } from '../headless/refused-result.js';
import { createStdioAsks, type StdioAsks } from './stdio-asks.js';

/** A session that has begun. */
export type OpenedSession = { readonly session: SessionHandle; readonly approvals: Approvals };

export type StreamInput = {
  /** Lines that could not be used. */
  readonly badLines: number;
  /** Why prompts were refused, if they were. */
  readonly refusal: string | undefined;
  /** Resolves when stdin has ended and everything that came was seen to. */
  readonly ended: Promise<void>;
  /** Read no further: the session has ended. */
  stop(): void;
};

type ControlLine = Extract<InputLine, { type: 'control_request' }>;

/**
 * Serve a stream-json client. Its first line decides what the session is: an `initialize` is applied before the session
 * begins, anything else begins the session as the command line describes it. An `initialize` that cannot be honoured
 * refuses every prompt until one comes that can. A line that cannot be used is reported on stderr and as a
 * `system/input_error` on stdout, and the session stays. The end of stdin ends the session when it has nothing more to do.
 *
 * @param options.open begins the session
 */
export function serveStreamInput({
  stdin,
  prepared,
  open,
  asksOnStdio,
  write,
  warn,
}: {
  stdin: Readable;
  prepared: PreparedRun;
  open: (run: PreparedRun) => Promise<OpenedSession>;
  asksOnStdio: boolean;
  write: (line: object) => void;
  warn: (line: string) => void;
}): StreamInput {
  const channel = createClientChannel(write);
  const earlySessionId = randomUUID();
  let lineNumber = 0;
  let badLines = 0;
  let refusal: string | undefined;
  let driven: Driven | undefined;
  let asks: StdioAsks | undefined;
  let initialized: ControlLine['request'] | undefined;

  const sessionId = (): string => driven?.session.sessionId ?? earlySessionId;
  const complain = (message: string, line = lineNumber): void => {
    badLines += 1;
    warn(`stdin:${line}: ${message}`);
    const head = { type: 'system', subtype: 'input_error', line, message };
    write({ ...head, uuid: randomUUID(), session_id: sessionId() });
  };

  const begin = async ({
    prepared: run,
    relays,
  }: Pick<Initialized, 'prepared' | 'relays'>): Promise<Driven> => {
    const { session, approvals } = await open(run);
    const { permissions, env = {} } = run.options;
    driven = { session, permissions, env, relays };
    if (asksOnStdio)
      asks = createStdioAsks({ approvals, sessionId: session.sessionId, write, complain });
    return driven;
  };
  const beginPlain = (): Promise<Driven> => begin({ prepared, relays: new Map() });

  const refuse = (message: string): void => {
    refusal = message;
    warn(message);
  };
  const initialize = async ({ requestId, request }: ControlLine): Promise<void> => {
    const describe = (run: PreparedRun, more: object = {}): void => {
      initialized = request;
      refusal = undefined;
      const description = describeSession(run.definitions, run.options.env ?? {});
      write(toSuccessLine(requestId, { ...description, ...more }));
    };
    try {
      if (driven === undefined) {
        const asked = await applyInitialize(prepared, request, channel);
        await begin(asked);
        for (const line of asked.warnings) warn(line);
        return describe(asked.prepared, asked.response);
      }
      if (asksForNothing(request) || asksForTheSame(request, initialized ?? {}))
        return describe(prepared);
      throw new Error(
        'The session has begun, and "initialize" asks for something else than what it began with. Send it first.',
      );
    } catch (error) {
      refuse(messageOf(error));
      write(toErrorLine(requestId, messageOf(error)));
    }
  };

  const take = async (line: InputLine, at: number): Promise<void> => {
    switch (line.type) {
      case 'user':
        if (refusal === undefined)
          try {
            const { session } = driven ?? (await beginPlain());
            return await sendPrompt(session, line.content, line.uuid);
          } catch (error) {
            if (driven !== undefined) return complain(messageOf(error), at);
            refuse(messageOf(error));
          }
        return write(toRefusedResult(refusal ?? '', sessionId()));
      case 'control_request': {
        const { subtype, request, requestId } = line;
        if (subtype === 'initialize') return initialize(line);
        const answer = async (): Promise<void> => {
          try {
            const on = driven ?? (await beginPlain());
            write(toSuccessLine(requestId, await answerControlRequest(subtype, request, on)));
          } catch (error) {
            write(toErrorLine(requestId, messageOf(error)));
          }
        };
        const answered = answer(); // may wait for something that needs further lines
        return driven === undefined ? answered : undefined;
      }
      case 'keep_alive':
      case 'control_cancel_request': // nothing that a client asks for can be taken back
        return;
      case 'control_response':
        if (asks === undefined)
          return complain('nothing was asked: asks come with --permission-prompt-tool stdio', at);
        return asks.take(line);
      case 'bad':
        if (line.requestId !== undefined) write(toErrorLine(line.requestId, line.message));
        return complain(line.message, at);
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
      if (!isStopped) complain(`stdin cannot be read: ${messageOf(error)}`);
    }
    channel.close(); // the client can answer nothing more
    await taken;
    asks?.stop();
    driven?.session.end();
  };
  let isStopped = false;
  const ended = serve();

  return {
    get badLines() {
      return badLines;
    },
    get refusal() {
      return refusal;
    },
    ended,
    stop() {
      isStopped = true;
      asks?.stop();
      stdin.destroy();
    },
  };
}
