import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Envelope } from '../../src/core/events.js';
import { createAgentId, createSessionId } from '../../src/core/ids.js';
import { createFilePool } from '../../src/journal/file-pool.js';
import { createJournal } from '../../src/journal/journal.js';
import { readMail } from '../../src/journal/read-mail.js';

const assistant = (text?: string) => ({
  role: 'assistant',
  content: text === undefined ? [] : [{ type: 'text', text }],
});

it.each([
  ['an answer', { message: assistant('Yes.'), stopReason: 'end_turn' }, 'read'],
  ['an empty answer', { message: assistant(), stopReason: 'end_turn' }, 'read'],
  ['the beginning of one', { message: assistant('Ye'), stopReason: null }, 'read'],
  ['nothing, since it was told to stop', { message: assistant(), stopReason: null }, 'delivered'],
  [
    'a failure',
    { message: assistant(), stopReason: null, failure: { code: 'X', message: 'No.' } },
    'delivered',
  ],
])('a message that %s came after is %s', async (_, result, state) => {
  const directory = await mkdtemp(join(tmpdir(), 'read-mail-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const journal = createJournal({
    directory,
    sessionId: createSessionId(),
    now: () => 1,
    files: createFilePool(),
  });
  const id = createAgentId('ann');
  const file = `agents/${id}.jsonl` as const;
  const content = [{ type: 'text' as const, text: 'Hello.' }];
  const envelope: Envelope = { id: 'b/0', seq: 0, kind: 'message', from: 'b', content, at: 1 };
  journal.append(file, { type: 'mail.accepted', envelope });
  journal.append(file, { type: 'step.done', key: 'turn:1/inbox', result: [envelope] });
  journal.append(file, { type: 'step.done', key: 'turn:1/model', result });
  await journal.close();
  expect(readMail(directory)).toEqual([
    { id: 'b/0', seq: 0, kind: 'message', from: 'b', to: id, at: 1, state },
  ]);
});
