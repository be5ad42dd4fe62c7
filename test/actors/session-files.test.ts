import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { playParts } from '../support/scripts.js';
import { createTroupe } from '../support/troupe.js';

describe('what a session says', () => {
  it('is read off its journal: no file is made for it', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ text: 'Grüße.' }, { text: 'Bye.' }] }),
    );
    const session = troupe.session({ staysOpen: true });
    expect(await session.output()).toEqual({ text: '', next: 0 });
    await session.prompt('Go.');
    expect(await session.output()).toEqual({ text: 'Grüße.\n', next: 9 });
    await session.prompt('Go on.');
    session.end();
    await session.outcome;
    expect(await session.output({ from: 9 })).toEqual({ text: 'Bye.\n', next: 14 });
    expect(readdirSync(session.directory)).not.toContain('output');
  });

  it('is what it has said since it was gone on with', async () => {
    const { troupe } = await createTroupe(({ messages }) => ({ text: `${messages.length}` }));
    const first = troupe.session({ prompt: 'Go.' });
    await first.outcome;
    const second = troupe.session({ resume: first.sessionId, prompt: 'Go on.' });
    await second.outcome;
    expect(await second.output()).toEqual({ text: '3\n', next: 2 });
    expect(await first.output()).toEqual({ text: '1\n', next: 2 });
  });
});
