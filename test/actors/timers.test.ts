import { expect, it, onTestFinished, vi } from 'vitest';
import { allActors } from '../support/inspected.js';
import { HOUR } from '../support/schedule-world.js';
import { playParts } from '../support/scripts.js';
import { createTroupe } from '../support/troupe.js';

it('a clock that is set back holds nothing up', async () => {
  const { now } = Date;
  let jump = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump);
  onTestFinished(() => void vi.restoreAllMocks());
  const seconds = 0.3;
  const { troupe } = await createTroupe(
    playParts({ main: [{ tools: [{ name: 'Sleep', input: { seconds } }] }, { text: 'Slept.' }] }),
  );
  const session = troupe.session({ prompt: 'Go.' });
  const began = performance.now();
  const calls = () => allActors(troupe.inspect()).filter(({ kind }) => kind === 'toolCall');
  await expect.poll(() => calls()[0]?.waitingFor).toEqual([expect.stringMatching(/^mail, or /)]);
  jump = -HOUR;
  expect(await session.result).toBe('Slept.');
  expect(performance.now() - began).toBeGreaterThanOrEqual(seconds * 1_000);
});
