import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { thisProcess } from '../../../src/journal/storage/process-owner.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { endSession, writeSession } from '../../support/past-session.js';
import { createTroupe } from '../../support/troupe.js';

const hello = () => ({ text: 'Hello.' });

/** Let a session look as if it was written some days ago. */
function age(directory: string, days: number): void {
  const at = Date.now() / 1_000 - days * 86_400;
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), at, at);
  utimesSync(directory, at, at);
}

it('removes sessions that are too old at a start, and neither running nor resumed ones', async () => {
  const { troupe, home, cwd } = await createTroupe(hello);
  const resumed = troupe.session({ prompt: 'Hi.' });
  await resumed.outcome;
  await troupe.close();
  const [old, young, elsewhere] = await Promise.all(
    ['old', 'young', 'elsewhere'].map(async (prompt) => {
      const past = writeSession(home, { cwd, prompt });
      endSession(past);
      await past.journal.close();
      return past.directory;
    }),
  );
  if (!old || !young || !elsewhere) throw new Error('there are three');
  writeFileSync(join(elsewhere, 'lock'), JSON.stringify({ ...thisProcess(), hostname: 'far' }));
  for (const directory of [old, elsewhere, resumed.directory]) age(directory, 31);
  age(young, 29);

  const next = createOrchestrator({
    cwd,
    home,
    model: createScriptedModel(hello),
    cleanupPeriodDays: 30,
  });
  onTestFinished(() => next.close());
  const again = next.session({ resume: resumed.sessionId, prompt: 'More.' });
  const kept = [young, elsewhere, resumed.directory].map((path) => basename(path)).sort();
  await vi.waitFor(() =>
    expect(
      readdirSync(dirname(old))
        .filter((name) => !name.includes('.'))
        .sort(),
    ).toEqual(kept),
  );
  expect(await again.outcome).toMatchObject({ status: 'completed' });
});
