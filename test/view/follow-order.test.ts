import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { followJournal } from '../../src/api/sessions/follow-journal.js';
import { readIfThere } from '../../src/processes/output/tail-file.js';
import { createTroupe } from '../support/troupe.js';

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
  let agentReading: ReturnType<typeof readIfThere> | undefined;
  const follower = followJournal(directory, {
    async readPart(...args) {
      if (args[0].endsWith(agentFile)) return (agentReading = readIfThere(...args));
      await setImmediate();
      await agentReading; // if both are read at once, the agent writes after its file was read
      if (args[0].endsWith('tasks.jsonl'))
        for (const { path, text } of files) writeFileSync(path, text);
      return readIfThere(...args);
    },
  });
  expect(await follower.next()).toEqual(whole);
});
