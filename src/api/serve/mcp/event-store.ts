import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Events beyond these are forgotten, oldest first: a client that was away for longer cannot resume. */
const MOST_EVENTS = 2_000;

type StoredEvent = { readonly stream: string; readonly message: JSONRPCMessage };

/** Keep the newest events of one session, for a client that resumes a stream. */
export function createEventStore(most = MOST_EVENTS): EventStore {
  const events = new Map<number, StoredEvent>();
  let last = 0;
  const find = (eventId: string): StoredEvent | undefined => events.get(Number(eventId));
  return {
    storeEvent(stream, message) {
      last += 1;
      events.set(last, { stream, message });
      events.delete(last - most);
      return Promise.resolve(String(last));
    },
    getStreamIdForEventId: (eventId) => Promise.resolve(find(eventId)?.stream),
    async replayEventsAfter(eventId, { send }) {
      const stream = find(eventId)?.stream;
      if (stream === undefined) throw new Error(`The event ${eventId} is not kept any more.`);
      for (const [id, event] of events)
        if (id > Number(eventId) && event.stream === stream && 'jsonrpc' in event.message)
          await send(String(id), event.message);
      return stream;
    },
  };
}
