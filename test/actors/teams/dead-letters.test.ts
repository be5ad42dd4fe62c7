import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { allActors } from '../../support/inspected.js';
import { playParts } from '../../support/scripts.js';
import { newestTold } from '../../support/team-script.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

it('dead letters are in the tree until their recipient is resumed, the newest fifty', async () => {
  const began = createGate();
  const told: string[] = [];
  const { troupe } = await createTroupe(
    playParts({
      main: [{ text: 'Never.' }],
      ann: [
        () => {
          began.open();
          return { text: 'Late.', delayMs: 60_000 };
        },
        (request: ModelRequest) => {
          told.push(newestTold(request));
          return { text: 'Read.' };
        },
      ],
    }),
    { agents: [defineAgent('worker')], graceMs: 10 },
  );
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const ann = await session.spawn({ agent: 'worker', name: 'ann', prompt: 'Go.' });
  await began.opened;
  for (let count = 1; count <= 51; count += 1) await ann.send(`Message ${count}.`);
  await ann.kill();
  const letters = () => allActors(troupe.inspect()).filter(({ kind }) => kind === 'deadLetter');
  const accepted = session.mail().filter(({ kind }) => kind === 'message');
  expect(letters()).toEqual(
    accepted.slice(1).map(({ id, at }) => ({
      id,
      kind: 'deadLetter',
      label: 'for ann',
      state: 'dead',
      since: at,
      waitingFor: [`the resume of ${ann.agentId}`],
      children: [],
    })),
  );
  expect(letters()).toHaveLength(50);
  const again = await session.spawn({ resume: 'ann', prompt: 'Continue.' });
  expect(letters()).toEqual([]);
  expect(await again.result).toBe('Read.');
  expect(told[0]).toContain('Message 1.');
});
