import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createMailbox } from '../../../src/actors/mail/mailbox.js';
import type { Envelope } from '../../../src/core/events.js';

const envelope = (id: string): Envelope => ({
  id,
  seq: 0,
  kind: 'message',
  from: 'ann',
  content: [],
  at: 0,
});
const { signal } = new AbortController();

describe('an inbox', () => {
  it('holds what was put into it until it is taken, in order', () => {
    const inbox = createMailbox();
    inbox.put(envelope('a'));
    inbox.put(envelope('b'));
    expect([inbox.size(), inbox.has('a'), inbox.has('c')]).toEqual([2, true, false]);
    expect(inbox.take()).toEqual([envelope('a'), envelope('b')]);
    expect([inbox.size(), inbox.take()]).toEqual([0, []]);
  });

  it('tells everybody who waits that something has come', async () => {
    const inbox = createMailbox();
    const arrivals = [inbox.arrival(signal), inbox.arrival(signal)];
    inbox.put(envelope('a'));
    expect(await Promise.all(arrivals)).toEqual([undefined, undefined]);
  });

  it('lets nobody wait for what is there already', async () => {
    const inbox = createMailbox();
    inbox.put(envelope('a'));
    const first = await Promise.race([
      inbox.arrival(signal).then(() => 'arrived'),
      new Promise((resolve) => setImmediate(resolve, 'still waiting')),
    ]);
    expect(first).toBe('arrived');
  });

  it('rejects a wait that is stopped, with the reason', async () => {
    const inbox = createMailbox();
    const stop = new AbortController();
    const arrival = inbox.arrival(stop.signal);
    stop.abort('enough');
    await expect(arrival).rejects.toBe('enough');
    await expect(inbox.arrival(stop.signal)).rejects.toBe('enough');
  });

  it('rejects at once if the signal has aborted already, also if something waits', async () => {
    const inbox = createMailbox();
    inbox.put(envelope('a'));
    const first = await Promise.race([
      inbox.arrival(AbortSignal.abort('enough')).catch((reason: unknown) => reason),
      new Promise((resolve) => setImmediate(resolve, 'still waiting')),
    ]);
    expect(first).toBe('enough');
  });

  it('keeps no listener of a wait that is over', async () => {
    const inbox = createMailbox();
    const stop = new AbortController();
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    const arrival = inbox.arrival(stop.signal);
    inbox.put(envelope('a'));
    await arrival;
    inbox.put(envelope('b'));
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    expect(removed).toHaveBeenCalledOnce(); // the second envelope wakes nobody
  });
});
