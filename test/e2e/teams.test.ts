import { describe, expect, it } from 'vitest';
import { createGate } from '../support/gate.js';
import { sendCall, teammateCall } from '../support/team-script.js';
import { firstPrompt } from './support/answers.js';
import { findActor, psUntil } from './support/live-tree.js';
import { createPlace } from './support/place.js';

describe('a team in -p', () => {
  it('is seen at work, and ends when all rest', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const held = createGate();
    const leadWaits = createGate();
    const lead = [
      { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
      { tools: [teammateCall('ann', { type: 'general-purpose' })] },
      { tools: [sendCall('ann', 'Look at the cache.')] },
      { text: 'Waiting.' },
      { text: 'Done.' },
    ];
    const api = await place.api({
      handler: async ({ body }) => {
        const said = body.messages.filter(({ role }) => role === 'assistant').length;
        if (!firstPrompt(body).includes('You are ann')) {
          if (said === 3) leadWaits.open();
          return lead[said] ?? { text: 'Done.' };
        }
        if (said === 0) await held.opened;
        return { text: 'I looked.' };
      },
    });
    const run = place.start(['-p', 'go'], { api });
    const ann = await psUntil(place, (seen) =>
      findActor(
        seen,
        ({ kind, label, waitingFor }) =>
          kind === 'agent' && label === 'ann' && waitingFor.length > 1,
      ),
    );
    expect(ann.waitingFor).toEqual([
      expect.stringMatching(/^the first event of the model, requested at /),
      '1 unread message',
    ]);
    await leadWaits.opened; // what ann says comes after the last request of the lead
    held.open();
    const { code, stdout } = await run.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
  });
});
