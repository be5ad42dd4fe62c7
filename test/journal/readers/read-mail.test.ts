import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Envelope } from '../../../src/core/events.js';
import { createAgentId, createSessionId } from '../../../src/core/ids.js';
import { createFilePool } from '../../../src/journal/storage/file-pool.js';
import { createJournal, type Journal } from '../../../src/journal/journal.js';
import { readMail } from '../../../src/journal/readers/read-mail.js';

const assistant = (text?: string) => ({
  role: 'assistant',
  content: text === undefined ? [] : [{ type: 'text', text }],
});

type Line = Parameters<Journal['append']>[1];

/** The journals of one agent that was sent a message, and what is said of it. */
async function openAgent() {
  const directory = await mkdtemp(join(tmpdir(), 'read-mail-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const journal = createJournal({
    directory,
    sessionId: createSessionId(),
    now: () => 1,
    files: createFilePool(),
  });
  const id = createAgentId('ann');
  const content = [{ type: 'text' as const, text: 'Hello.' }];
  const envelope: Envelope = { id: 'b/0', seq: 0, kind: 'message', from: 'b', content, at: 1 };
  const append = (entry: Line): void => void journal.append(`agents/${id}.jsonl`, entry);
  append({ type: 'mail.accepted', envelope });
  return { directory, journal, id, envelope, append };
}

it.each([
  ['an answer', { message: assistant('Yes.'), stopReason: 'end_turn' }, 'read'],
  ['an empty answer', { message: assistant(), stopReason: 'end_turn' }, 'read'],
  ['the beginning of one', { message: assistant('Ye'), stopReason: null }, 'read'],
  ['nothing, since it was stopped', { message: assistant(), stopReason: null }, 'delivered'],
  [
    'a failure',
    { message: assistant(), stopReason: null, failure: { code: 'X', message: 'No.' } },
    'delivered',
  ],
])('a message that %s came after is %s', async (_, result, state) => {
  const { directory, journal, id, envelope, append } = await openAgent();
  append({ type: 'step.done', key: 'turn:1/inbox', result: [envelope] });
  append({ type: 'step.done', key: 'turn:1/model', result });
  await journal.close();
  expect(readMail(directory)).toEqual([
    { id: 'b/0', seq: 0, kind: 'message', from: 'b', to: id, at: 1, state },
  ]);
});

it('a message that was not taken waits while its recipient lives, or may be resumed, and is dead if it ended', async () => {
  const { directory, journal, append } = await openAgent();
  const states: unknown[] = [];
  const look = (entry?: Line): void => {
    if (entry !== undefined) append(entry);
    states.push(readMail(directory).map(({ state }) => state));
  };
  const resumedAs = (taskId: string): Line => ({
    type: 'agent.resumed',
    taskId,
    model: 'm',
    permissionMode: 'default',
  });
  look();
  look({ type: 'agent.ended', status: 'completed' });
  look(resumedAs('a00000001'));
  journal.append('tasks.jsonl', {
    type: 'task.lost',
    id: 'a00000001',
    failure: { code: 'LOST', message: 'Lost.' },
  });
  look();
  look(resumedAs('a00000002'));
  await journal.close();
  expect(states).toEqual([['accepted'], ['dead'], ['accepted'], ['dead'], ['accepted']]);
});
