import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dreamPlace, isDreamDue } from '../../../src/context/memory/dream.js';
import { userFolders } from '../../../src/files/folders.js';
import type { ScriptFunction } from '../../../src/model/scripted/scripted-model.js';
import { createGate } from '../../support/gate.js';
import { newestResults, resultText } from '../../support/scripts.js';
import { createFolder, createTroupe, type TroupeOptions } from '../../support/troupe.js';

/** A world whose dreams write one note inside and try one outside of their folder. */
async function createDreamer({
  wait,
  ...options
}: TroupeOptions & { readonly wait?: () => Promise<void> } = {}) {
  const HOME = await createFolder();
  const env = { ...process.env, HOME };
  const results: string[] = [];
  const mainTurns: number[] = [];
  const script: ScriptFunction = async ({ origin, messages }) => {
    if (origin.name === 'main') {
      mainTurns.push(messages.length);
      return { text: 'Done.' };
    }
    results.push(...newestResults(messages).map(resultText));
    await wait?.();
    if (messages.length > 1) return { text: 'Consolidated.' };
    const write = (file_path: string) => ({
      name: 'Write',
      input: { file_path, content: 'Note.' },
    });
    return { tools: [write(join(place().memory, 'MEMORY.md')), write(world.at('outside.md'))] };
  };
  const world = await createTroupe(script, { ...options, env });
  const place = () =>
    dreamPlace(world.cwd, userFolders(env), { home: world.home, notes: options.context?.notes });
  return { ...world, results, mainTurns, place, env };
}

const lockOf = ({ memory }: { readonly memory: string }): string => join(memory, '.dream-lock');

describe('a dream', () => {
  it('changes the notes, and nothing else, without news for the main agent', async () => {
    const { troupe, results, mainTurns, place, at } = await createDreamer();
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const memoryPath = join(place().memory, 'MEMORY.md');
    expect(await session.dream()).toEqual({ success: true, memoryPath });
    expect(readFileSync(memoryPath, 'utf8')).toBe('Note.');
    expect(existsSync(at('outside.md'))).toBe(false);
    expect(results).toEqual([
      expect.stringContaining('Created'),
      expect.stringContaining('outside.md'),
    ]);
    expect(
      session
        .tasks()
        .flatMap(({ type, status, id }) => (type === 'dream' ? [[status, id[0]]] : [])),
    ).toEqual([['completed', 'd']]);
    session.end();
    await session.outcome;
    expect(mainTurns).toEqual([1]);
    expect(existsSync(lockOf(place()))).toBe(false);
  });

  it('changes the notes in the folder that the context names', async () => {
    const notes = await createFolder();
    const { troupe } = await createDreamer({ context: { notes } });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const memoryPath = join(notes, 'MEMORY.md');
    expect(await session.dream()).toEqual({ success: true, memoryPath });
    expect(readFileSync(memoryPath, 'utf8')).toBe('Note.');
    session.end();
    await session.outcome;
  });

  it('is the only one at a time, ends with its session, and gives the lock back', async () => {
    const begun = createGate();
    const { troupe, place } = await createDreamer({
      wait: async () => {
        begun.open();
        await new Promise(() => {});
      },
    });
    const session = troupe.session({ staysOpen: true });
    const other = troupe.session({ staysOpen: true });
    const ended = session.dream();
    await begun.opened;
    expect(await other.dream()).toEqual({
      success: false,
      error: 'another process consolidates these notes',
    });
    await session.kill('enough');
    expect(await ended).toEqual({
      success: false,
      error: expect.stringMatching(/^it was killed: /),
    });
    expect(existsSync(lockOf(place()))).toBe(false);
    expect(existsSync(join(place().memory, '.last-dream'))).toBe(false);
  });

  it('starts by itself in a session that stays open, if it is time', async () => {
    const begun = createGate();
    const { troupe, place } = await createDreamer({
      dreams: true,
      wait: async () => begun.open(),
    });
    writeTranscripts(place().transcripts, 5);
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await begun.opened;
    expect(session.tasks().map(({ type }) => type)).toContain('dream');
  });

  it('is due a day after the last one, if five sessions were written since', async () => {
    const folder = await createFolder();
    const place = { memory: join(folder, 'memory'), transcripts: join(folder, 'transcripts') };
    const now = Date.now();
    writeTranscripts(place.transcripts, 4);
    expect(isDreamDue(place, now)).toBe(false);
    writeTranscripts(place.transcripts, 5);
    expect(isDreamDue(place, now)).toBe(true);
    const stamp = join(place.memory, '.last-dream');
    mkdirSync(place.memory);
    writeFileSync(stamp, '');
    const daysAgo = (days: number): number => now / 1_000 - days * 86_400;
    utimesSync(stamp, daysAgo(0.9), daysAgo(0.9));
    expect(isDreamDue(place, now)).toBe(false);
    utimesSync(stamp, daysAgo(1.1), daysAgo(1.1));
    expect(isDreamDue(place, now)).toBe(true);
  });
});

function writeTranscripts(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) writeFileSync(join(folder, `${at}.jsonl`), '{}\n');
}
