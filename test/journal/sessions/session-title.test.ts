import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createJournal } from '../../../src/journal/journal.js';
import { keepTitle, titleOf } from '../../../src/journal/sessions/session-title.js';

describe('the title of a session', () => {
  it('is the newest one, and none where it was given none', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'troupe-title-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    expect(titleOf({ directory })).toBeUndefined();
    const journal = createJournal({ directory, sessionId: 'x', now: () => 1 });
    keepTitle(journal, 'first');
    expect(titleOf({ directory })).toBe('first');
    keepTitle(journal, 'second');
    await journal.close();
    expect(titleOf({ directory })).toBe('second');
  });
});
