import type { ModelEvent } from '../model/model.js';
import { replyEvents } from '../model/scripted/reply-events.js';
import type { ScriptedReply } from '../model/scripted/script.js';

/** What goes wrong once `afterEvents` events are sent. */
export type StreamFault = {
  readonly afterEvents: number;
  readonly kind:
    | 'error' // an SSE `error` event
    | 'cut' // the socket is destroyed
    | 'end' // the body ends cleanly, without the events that are left
    | 'stall'; // nothing more comes, and the connection stays open
  /** For `error`. */
  readonly error?: { readonly type: string; readonly message: string };
};

/** How a stream is sent. Events go out one by one, each in a write of its own. */
export type FakeStream = {
  /** Called before each event; the event waits for the promise. Event 0 is `message_start`. */
  readonly gate?: (index: number, event: ModelEvent) => Promise<unknown> | void;
  /** Waited for before each event. */
  readonly eventDelayMs?: number;
  readonly fault?: StreamFault;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A reply of the model, from the same words as a script's step, or event by event. */
export type FakeModelReply = FakeStream &
  (ScriptedReply | { readonly events: readonly ModelEvent[] });

/** An answer that is no stream. */
export type FakeHttpReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: { readonly type: string; readonly message: string };
  /** Sent as it is, in place of `error`. */
  readonly body?: string;
};

/** No answer at all: the socket is destroyed, or nothing is ever sent. */
export type FakeSilence = { readonly connection: 'reset' | 'silent' };

export type FakeReply = FakeModelReply | FakeHttpReply | FakeSilence;

/** The events that a reply is sent as: a test can cut at each of them. */
export function eventsOf(
  reply: FakeModelReply,
  { model = 'claude-fake', sequence = 0 }: { model?: string; sequence?: number } = {},
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
