import { randomUUID } from 'node:crypto';
import { messageOf } from '../../api/errors.js';
import { describeSession } from '../../api/query/describe-session.js';
import type { Approvals, McpControl, SessionHandle } from '../../api/types.js';
import { toRefusedResult } from '../headless/refused-result.js';
import type { PreparedRun } from '../run/prepare-run.js';
import type { ClientChannel } from './client-channel.js';
import { createClientServers } from './client-servers.js';
import { toErrorLine, toSuccessLine } from './control-lines.js';
import { answerControlRequest, type Driven } from './control-requests.js';
import { applyInitialize, checkRepeated, type Initialized } from './initialize.js';
import type { InputLine } from './input-line.js';
import { createPromptSender } from './prompt-sender.js';

/** A session that has begun. */
export type OpenedSession = {
  readonly session: SessionHandle;
  readonly approvals: Approvals;
  readonly mcp: McpControl;
};

/**
 * The session that a stream-json client drives. The client's first line begins it: an `initialize` configures the session,
 * any other line begins the session of the command line. After an `initialize` that cannot be honoured, every prompt is
 * refused until a valid one comes.
 */
export interface ClientSession {
  /** Another ID before the session has begun. */
  readonly sessionId: string;
  /** Why prompts are refused, if they are. */
  readonly refusal: string | undefined;
  /**
   * Resolve when the next line may be taken.
   *
   * @param report gets the reason if the session has begun and cannot take the prompt
   */
  prompt(
    line: Extract<InputLine, { type: 'user' }>,
    report: (message: string) => void,
  ): Promise<void>;
  /** Resolve when the next line may be taken, which the response may need. Never reject. */
  control(line: ControlLine): Promise<void>;
  /** End the session when it has nothing more to do. */
  end(): void;
}

export type ClientSessionOptions = {
  /** The run of the command line. */
  readonly prepared: PreparedRun;
  readonly channel: Pick<ClientChannel, 'request'>;
  /** Begin the session. */
  readonly open: (run: PreparedRun) => Promise<OpenedSession>;
  /** Write a line to the client. */
  readonly write: (line: object) => void;
  /** Write a line to stderr. */
  readonly warn: (line: string) => void;
};

type ControlLine = Extract<InputLine, { type: 'control_request' }>;

export function createClientSession({
  prepared,
  channel,
  open,
  write,
  warn,
}: ClientSessionOptions): ClientSession {
  const earlySessionId = randomUUID();
  let driven: Driven | undefined;
  let initialized: ControlLine['request'] | undefined;
  let refusal: string | undefined;
  const sender = createPromptSender({ write, warn });
  const sessionId = (): string => driven?.session.sessionId ?? earlySessionId;

  const begin = async (run: PreparedRun, first: Initialized['first']): Promise<Driven> => {
    const { session, mcp } = await open(run);
    const { env = {} } = run.options;
    const servers = createClientServers({ session, mcp, env, channel, warn }, first);
    driven = { session, options: run.options, servers };
    return driven;
  };
  const beginPlain = (): Promise<Driven> => begin(prepared, { relays: new Map(), policies: [] });

  const refuse = (message: string): void => {
    refusal = message;
    warn(message);
  };

  const initialize = async ({ requestId, request }: ControlLine): Promise<void> => {
    const describe = async ({ session, options }: Driven, more: object = {}): Promise<void> => {
      const description = await describeSession(session, options);
      initialized = request;
      refusal = undefined;
      write(toSuccessLine(requestId, { ...description, ...more }));
    };
    try {
      if (driven === undefined) {
        const asked = await applyInitialize(prepared, request, channel);
        const begun = await begin(asked.prepared, asked.first);
        for (const line of asked.warnings) warn(line);
        return await describe(begun, asked.response);
      }
      checkRepeated(request, initialized);
      await describe(driven);
    } catch (error) {
      refuse(messageOf(error));
      write(toErrorLine(requestId, messageOf(error)));
    }
  };

  const answer = async ({ requestId, subtype, request }: ControlLine): Promise<void> => {
    try {
      const on = driven ?? (await beginPlain());
      write(toSuccessLine(requestId, await answerControlRequest(subtype, request, on)));
    } catch (error) {
      write(toErrorLine(requestId, messageOf(error)));
    }
  };

  return {
    get sessionId() {
      return sessionId();
    },
    get refusal() {
      return refusal;
    },
    async prompt(line, report) {
      if (refusal === undefined && driven === undefined)
        await beginPlain().catch((error: unknown) => refuse(messageOf(error)));
      if (refusal !== undefined || driven === undefined)
        return write(toRefusedResult(refusal ?? '', sessionId()));
      return sender.send(driven.session, line, report);
    },
    async control(line) {
      if (line.subtype === 'initialize') return initialize(line);
      const hasBegun = driven !== undefined;
      const answered = answer(line);
      if (!hasBegun) await answered;
    },
    end: () => void sender.sent().then(() => driven?.session.end()),
  };
}
