import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentParts } from '../../../src/actors/agents/parts/agent-parts.js';
import { createInbox } from '../../../src/actors/mail/inbox.js';
import { createEventBus } from '../../../src/actors/services/event-bus.js';
import { createMailroom } from '../../../src/actors/mail/mailroom.js';
import { createJournal } from '../../../src/journal/journal.js';
import { createFiles } from '../../support/files.js';

describe('a message whose line cannot be written', () => {
  it('is in no inbox, and whoever sends it gets the error', async () => {
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
    const ann = { id: 'ann', taskId: 'a1', inbox: createInbox() } as unknown as AgentParts;
    await expect(mail.deliver(ann, mail.envelope('message', 'ben', []))).rejects.toMatchObject({
      code: 'JOURNAL_UNWRITABLE',
    });
    expect(ann.inbox.size).toBe(0);
  });
});
