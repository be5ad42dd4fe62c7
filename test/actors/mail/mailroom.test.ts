import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentParts } from '../../../src/actors/agents/parts/agent-parts.js';
import { createMailbox } from '../../../src/actors/mail/mailbox.js';
import { createEventBus } from '../../../src/actors/services/event-bus.js';
import type { LiveTasks } from '../../../src/actors/tasks/task-registry.js';
import { textBlock } from '../../../src/core/messages.js';
import { createMailroom, type Recipient } from '../../../src/actors/mail/mailroom.js';
import { createJournal } from '../../../src/journal/journal.js';
import { createFiles } from '../../support/files.js';
import { createGate } from '../../support/gate.js';

describe('a message whose line cannot be written', () => {
  it('is in no mailbox, and its sender gets the error', async () => {
    const folder = await createFiles({ session: 'a file in the place of a folder' });
    const journal = createJournal({
      directory: join(folder, 'session'),
      sessionId: 's',
      now: () => 1,
    });
    onTestFinished(() => journal.close());
    const mail = createMailroom({
      journal,
      bus: createEventBus(),
      tasks: { find: () => undefined, actorOf: () => undefined, send: () => {} },
      timers: { now: () => 1 },
      newestSequences: () => new Map(),
      findAgent: () => undefined,
    });
    const ann = { id: 'ann', taskId: 'a1', inbox: createMailbox() } as unknown as AgentParts;
    await expect(mail.deliver(ann, mail.envelope('message', 'ben', []))).rejects.toMatchObject({
      code: 'JOURNAL_UNWRITABLE',
    });
    expect(ann.inbox.size()).toBe(0);
  });
});

/** A mailroom on a real journal whose tasks are these names; `synced` is when the disk has a line. */
async function openMailroom({ atWork = [] }: { readonly atWork?: readonly string[] } = {}) {
  const synced = createGate();
  const directory = await createFiles({});
  const journal = createJournal({ directory, sessionId: 's', now: () => 1 });
  onTestFinished(() => journal.close());
  const recipients = new Map<string, Recipient>();
  const woken: string[] = [];
  const actorOf = (id: string) =>
    atWork.includes(id)
      ? { getSnapshot: () => ({ matches: (state: unknown) => state === 'pending' }) }
      : undefined;
  const mail = createMailroom({
    journal: { ...journal, sync: () => synced.opened },
    bus: createEventBus(),
    tasks: {
      find: () => undefined,
      actorOf: actorOf as LiveTasks['actorOf'], // only its state is read
      send: (id: string) => void woken.push(id),
    },
    timers: { now: () => 1 },
    newestSequences: () => new Map([['ben', 6]]),
    findAgent: (id) => recipients.get(id),
  });
  const recipient = (id: string, asksNoModel = false): Recipient => {
    const one = { id, taskId: id, inbox: createMailbox(), asksNoModel } as unknown as Recipient;
    recipients.set(id, one);
    return one;
  };
  const letter = (from: string, text = 'Hello.') =>
    mail.envelope('message', from, [textBlock(text)]);
  return { mail, recipient, letter, synced, woken };
}

describe('a message that is delivered', () => {
  it('is in the mailbox at once, and its sender waits until it is on stable storage', async () => {
    const { mail, recipient, letter, synced } = await openMailroom();
    const ann = recipient('ann');
    const told: string[] = [];
    const delivered = mail.deliver(ann, letter('ben')).then(() => told.push('delivered'));
    await new Promise((resolve) => setImmediate(resolve));
    expect([ann.inbox.size(), told]).toEqual([1, []]);
    synced.open();
    await delivered;
    expect(told).toEqual(['delivered']);
  });

  it('has the number behind the newest one of its sender', async () => {
    const { letter } = await openMailroom();
    expect([letter('ben'), letter('ben'), letter('cid')].map(({ id }) => id)).toEqual([
      'ben/7',
      'ben/8',
      'cid/0',
    ]);
  });

  it('is refused by an agent that asks no model, which takes prompts', async () => {
    const { mail, recipient, letter, synced } = await openMailroom();
    synced.open();
    const tool = recipient('tool', true);
    await expect(mail.deliver(tool, letter('ben'))).rejects.toThrow(
      'tool asks no model, and reads no messages',
    );
    await mail.deliver(tool, mail.envelope('prompt', 'user', []));
    expect(tool.inbox.take().map(({ kind }) => kind)).toEqual(['prompt']);
  });
});

describe('a mailbox that closes', () => {
  it('makes its messages dead letters, and tells each sender at work once', async () => {
    const { mail, recipient, letter, synced } = await openMailroom({ atWork: ['ben'] });
    synced.open();
    const [ann, ben, cid] = [recipient('ann'), recipient('ben'), recipient('cid')];
    const sent = [letter('ben'), letter('cid'), letter('ben'), letter('gone')];
    for (const one of sent) await mail.deliver(ann, one);
    for (const kind of ['prompt', 'notification'] as const)
      await mail.deliver(ann, mail.envelope(kind, 'ben', []));
    mail.close(ann);
    expect(mail.deadLetters().map(({ id, to, state }) => ({ id, to, state }))).toEqual(
      sent.map(({ id }) => ({ id, to: 'ann', state: 'dead' })),
    );
    expect(ben.inbox.take().map(({ kind, from, content }) => ({ kind, from, content }))).toEqual([
      {
        kind: 'notification',
        from: 'ann',
        content: [{ type: 'text', text: expect.stringContaining('2 messages of yours') as string }],
      },
    ]);
    expect(cid.inbox.size()).toBe(0);
  });

  it('gives its messages back when its agent is resumed, and only those', async () => {
    const { mail, recipient, letter, synced } = await openMailroom();
    synced.open();
    const [ann, dan] = [recipient('ann'), recipient('dan')];
    const [toAnn, toDan] = [letter('ben'), letter('ben')];
    await mail.deliver(ann, toAnn);
    await mail.deliver(dan, toDan);
    for (const one of [ann, dan]) mail.close(one);
    mail.restore(ann, [toAnn]);
    expect(mail.deadLetters().map(({ id }) => id)).toEqual([toDan.id]);
    expect(ann.inbox.take()).toEqual([toAnn]);
  });

  it('shows the newest 50 dead letters', async () => {
    const { mail, recipient, letter, synced } = await openMailroom();
    synced.open();
    const ann = recipient('ann');
    const sent = Array.from({ length: 52 }, () => letter('cid'));
    for (const one of sent) mail.accept(ann, one);
    mail.close(ann);
    expect(mail.deadLetters().map(({ id }) => id)).toEqual(sent.slice(2).map(({ id }) => id));
  });
});
