import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createSessionId } from '../../../src/core/ids.js';
import { createJournal } from '../../../src/journal/journal.js';
import { addLabel, keepTitle, readLabels } from '../../../src/journal/sessions/session-labels.js';
import { thisProcess } from '../../../src/journal/storage/process-owner.js';
import { createFolder } from '../../support/troupe.js';

async function createSession() {
  const directory = join(await createFolder(), 'session');
  mkdirSync(directory);
  return { id: createSessionId(), directory };
}

describe('the labels of a session', () => {
  it('are the newest title and the newest tag, from any source', async () => {
    const session = await createSession();
    expect(readLabels(session)).toEqual({});
    const now = vi.fn<() => number>(() => 1_000);
    const journal = createJournal({ directory: session.directory, sessionId: session.id, now });
    keepTitle(journal, 'first');
    expect(readLabels(session)).toEqual({ title: 'first' });
    await addLabel(session, { type: 'session.titled', title: 'second' });
    await addLabel(session, { type: 'session.tagged', tag: 'todo' });
    expect(readLabels(session)).toEqual({ title: 'second', tag: 'todo' });
    now.mockReturnValue(Date.now() + 60_000);
    keepTitle(journal, 'third');
    await addLabel(session, { type: 'session.tagged', tag: null });
    await journal.close();
    expect(readLabels(session)).toEqual({ title: 'third' });
  });

  it('leave the time of the last opening as it is', async () => {
    const session = await createSession();
    utimesSync(session.directory, 1_000, 1_000);
    await addLabel(session, { type: 'session.tagged', tag: 'a' });
    expect(statSync(session.directory).mtimeMs).toBe(1_000_000);
    expect(readdirSync(join(session.directory, '..'))).toEqual(['session']);
  });

  it('wait for the process that writes them now, and give up in the end', async () => {
    const session = await createSession();
    const lock = `${session.directory}.lock`;
    writeFileSync(lock, JSON.stringify({ ...thisProcess(), hostname: 'elsewhere' }));
    vi.useFakeTimers({ toFake: ['Date'] });
    const adding = addLabel(session, { type: 'session.tagged', tag: 'a' });
    vi.setSystemTime(Date.now() + 5_000);
    await expect(adding).rejects.toThrow(`remove ${lock}`);
    vi.useRealTimers();
    expect(readLabels(session)).toEqual({});
  });
});
