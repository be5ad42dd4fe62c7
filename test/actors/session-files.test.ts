import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeOf } from '../../src/journal/find-session.js';
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

describe('a prompt', () => {
  it('is written once for all sessions that share it', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const [first, second] = [troupe.session({ prompt: 'Go.' }), troupe.session({ prompt: 'Go.' })];
    await Promise.all([first.outcome, second.outcome]);
    expect(readdirSync(join(homeOf(first.directory), 'prompts'))).toHaveLength(1);
    for (const { directory } of [first, second])
      expect(readdirSync(directory)).not.toContain('prompts');
  });

  it('is found in the folder of its session too, where it was kept once', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const { directory, sessionId } = session;
    renameSync(join(homeOf(directory), 'prompts'), join(directory, 'prompts'));
    const next = troupe.session({ resume: sessionId, prompt: 'Go on.' });
    expect(await next.outcome).toMatchObject({ status: 'completed' });
    const fork = troupe.session({ resume: sessionId, forks: true, prompt: 'Go on.' });
    expect(await fork.outcome).toMatchObject({ status: 'completed' });
  });
});
