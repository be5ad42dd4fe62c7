import { expect, it } from 'vitest';
import { createGate } from '../../support/gate.js';
import { waitsOf } from '../../support/inspected.js';
import { createWaitTool } from '../../support/probe-tools.js';
import { playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

it('an idle teammate waits for mail; a message that comes while it works is not taken yet', async () => {
  const [began, held] = [createGate(), createGate()];
  const wait = createWaitTool(() => {
    began.open();
    return held.opened;
  });
  const { troupe } = await createTroupe(
    playParts({
      main: [{ text: 'Never.' }],
      ann: [{ text: 'Ready.' }, { tools: [{ name: 'Wait', input: {} }] }, { text: 'Done.' }],
    }),
    { agents: [defineAgent('worker')], tools: [wait] },
  );
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const ann = await session.spawn({ agent: 'worker', name: 'ann', team: 'crew', prompt: 'Go.' });
  const waits = () => waitsOf(troupe.inspect(), 'ann');
  await expect.poll(waits).toEqual(['mail']);
  expect(waitsOf(troupe.inspect(), 'main')).toEqual(['input']);
  await ann.send('one');
  await began.opened;
  const [call = ''] = waits() ?? [];
  expect([call, waits()]).toEqual([expect.stringMatching(/^tool call /), [call]]);
  await ann.send('two');
  expect(waits()).toEqual([call, '1 unread message']);
  await ann.send('three');
  expect(waits()).toEqual([call, '2 unread messages']);
  held.open();
  await expect.poll(waits).toEqual(['mail']);
});
