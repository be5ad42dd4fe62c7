import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { followJournal } from '../../src/api/sessions/follow-journal.js';
import { createTroupe } from '../support/troupe.js';

/** Called before a file is read. */
let beforeRead: (file: string) => Promise<void> = () => Promise.resolve();
let agentReading: Promise<unknown> | undefined;

vi.mock('../../src/processes/tail-file.js', async (importActual) => {
  const actual = await importActual<typeof import('../../src/processes/tail-file.js')>();
  const readIfThere: typeof actual.readIfThere = async (...args) => {
    const reading = beforeRead(args[0]).then(() => actual.readIfThere(...args));
    if (args[0].includes('agent-')) agentReading = reading;
    return reading;
  };
  return { ...actual, readIfThere };
});

it('reads what an agent wrote before the end of its task together with that end', async () => {
  const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
  const { directory, result } = troupe.session({ prompt: 'go' });
  await result;
  await troupe.close();
  const whole = await followJournal(directory).next();

  const agentFile = readdirSync(directory).find((name) => name.startsWith('agent-')) ?? '';
  const files = [agentFile, 'tasks.jsonl'].map((name) => {
    const path = join(directory, name);
    return { path, text: readFileSync(path, 'utf8') };
  });
  for (const { path, text } of files) writeFileSync(path, text.slice(0, text.indexOf('\n') + 1));
  agentReading = undefined;
  beforeRead = async (file) => {
    if (!file.endsWith('tasks.jsonl')) return;
    await setImmediate();
    await agentReading; // if both are read at once, the agent writes after its file was read
    for (const { path, text } of files) writeFileSync(path, text);
  };
  expect(await followJournal(directory).next()).toEqual(whole);
});
