import type { ModelEvent } from '../model/model.js';
import { replyEvents } from '../model/scripted/reply-events.js';
import type { ScriptedReply } from '../model/scripted/script.js';

/** A fault after `afterEvents` events. */
export type StreamFault = {
  /** After so many events. */
  readonly afterEvents: number;
  /** Kind of the fault: an SSE `error` event, a broken connection, a body without the last events, or silence. */
  readonly kind:
    | 'error' // an SSE `error` event
    | 'cut' // the socket is destroyed
    | 'end' // the body ends cleanly, without the events that are left
    | 'stall'; // nothing more comes, and the connection stays open
  /** The error that is sent; only for the kind `error`. */
  readonly error?: {
    /** Type of the error, such as `overloaded_error`. */
    readonly type: string;
    /** Text of the error. */
    readonly message: string;
  };
};

/** Options of a stream. Each event is one write. */
export type FakeStream = {
  /** Called before each event; the event waits for the promise. Event 0 is `message_start`. */
  readonly gate?: (index: number, event: ModelEvent) => Promise<unknown> | void;
  /** Waited for before each event. */
  readonly eventDelayMs?: number;
  /** A fault in the middle of the stream. */
  readonly fault?: StreamFault;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A reply of the model, with the fields of a script's step, or event by event. */
export type FakeModelReply = FakeStream &
  (
    | ScriptedReply
    | {
        /** Events of the stream, as they are. */
        readonly events: readonly ModelEvent[];
      }
  );

/** An answer that is not a stream. */
export type FakeHttpReply = {
  /** HTTP status, such as 429 or 529. */
  readonly status: number;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Error of the body, as the API sends it. */
  readonly error?: {
    /** Type of the error, such as `overloaded_error`. */
    readonly type: string;
    /** Text of the error. */
    readonly message: string;
  };
  /** Sent as it is, instead of `error`. */
  readonly body?: string;
};

/** No answer at all: the socket is destroyed, or nothing is ever sent. */
export type FakeSilence = {
  /** `reset`: the connection breaks. `silent`: nothing comes. */
  readonly connection: 'reset' | 'silent';
};

/** Reply of the fake Messages API to one request. */
export type FakeReply = FakeModelReply | FakeHttpReply | FakeSilence;

/** Facts of a fake reply in addition to its content. */
export type FakeEventOptions = {
  /** ID of the model in `message_start`; `claude-fake` if absent. */
  readonly model?: string;
  /** Number in the IDs of the message and its tool calls; 0 if absent. */
  readonly sequence?: number;
};

/** The events of a reply: a test can cut the stream at each of them. */
export function eventsOf(
  reply: FakeModelReply,
  { model = 'claude-fake', sequence = 0 }: FakeEventOptions = {},
): readonly ModelEvent[] {
  if ('events' in reply) return reply.events;
  return replyEvents(reply, {
    model,
    messageId: `msg_fake_${sequence}`,
    toolUseIdPrefix: `toolu_fake_${sequence}`,
    promptUsage: {
      input_tokens: 10,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  });
}
