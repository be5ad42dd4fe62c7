import { describe, expect, it } from 'vitest';
import { createEventStore } from '../../../../src/api/serve/mcp/event-store.js';

const message = (method: string) => ({ jsonrpc: '2.0' as const, method });

describe('the event store', () => {
  it('replays the later events of the same stream, and refuses one that it has forgotten', async () => {
    const store = createEventStore(3);
    const [a, b] = [
      await store.storeEvent('x', message('a')),
      await store.storeEvent('x', message('b')),
    ];
    await store.storeEvent('y', message('other'));
    const last = await store.storeEvent('x', message('c'));
    const sent: unknown[] = [];
    const send = async (id: string, one: unknown): Promise<void> => void sent.push([id, one]);
    expect(await store.replayEventsAfter(b, { send })).toBe('x');
    expect(sent).toEqual([[last, message('c')]]);
    await expect(store.replayEventsAfter(a, { send })).rejects.toThrow(
      `The event ${a} is not kept any more.`,
    );
  });
});
