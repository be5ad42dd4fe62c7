import { expect, it } from 'vitest';
import { allActors } from '../../support/inspected.js';
import { createGate } from '../../support/gate.js';
import { bashCall, playParts } from '../../support/scripts.js';
import { createWaitTool } from '../../support/probe-tools.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

it('an actor is in its state since it came into it, whatever else happens to it', async () => {
  const [began, held] = [createGate(), createGate()];
  const wait = createWaitTool(() => {
    began.open();
    return held.opened;
  });
  let time = 0;
  const { troupe } = await createTroupe(
    playParts({
      ann: [
        { tools: [bashCall('true')] }, // a child comes and goes
        { tools: [{ name: 'Wait', input: {} }] },
        { text: 'Done.' },
      ],
    }),
    { agents: [defineAgent('worker')], tools: [wait], now: () => (time += 1) },
  );
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const ann = await session.spawn({ agent: 'worker', name: 'ann', prompt: 'Go.' });
  const task = () => {
    const { state, since } = allActors(troupe.inspect()).find(({ id }) => id === ann.id) ?? {};
    return { state, since };
  };
  const atFirst = task();
  await began.opened;
  expect({ task: task(), isPast: (atFirst.since ?? time) < time }).toEqual({
    task: { state: 'running.active', since: atFirst.since },
    isPast: true,
  });
  const call = allActors(troupe.inspect()).find(({ kind }) => kind === 'toolCall');
  expect(call?.since).toBeGreaterThan(atFirst.since ?? Infinity);
  held.open();
  await ann.outcome;
});
