import { describe, expect, it, onTestFinished } from 'vitest';
import { agent, firstPrompt, results } from './support/answers.js';
import { createPlace } from './support/place.js';

const NAMES = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];

describe('--max-concurrent-agents', () => {
  it.each([
    ['the flag', ['--max-concurrent-agents', '2'], 2],
    ['the settings', ['--settings', JSON.stringify({ maxConcurrentAgents: 3 })], 3],
    [
      'the flag before the settings',
      ['--max-concurrent-agents', '1', '--settings', JSON.stringify({ maxConcurrentAgents: 3 })],
      1,
    ],
  ] as const)('lets only so many agents work at once: %s', async (_, flags, limit) => {
    const place = await createPlace(onTestFinished);
    const live = { now: 0, most: 0 };
    const api = await place.api({
      handler: async (request) => {
        if (firstPrompt(request.body) === 'go')
          return results(request).length > 0
            ? { text: 'All are done.' }
            : { tools: NAMES.map((name) => agent(name)) };
        live.most = Math.max(live.most, (live.now += 1));
        void request.closed.then(() => (live.now -= 1));
        return { text: 'I am done.', eventDelayMs: 10 };
      },
    });
    const run = await place.run(['-p', 'go', ...flags], { api });
    expect([run.code, run.stdout]).toEqual([0, 'All are done.\n']);
    expect(api.requests).toHaveLength(NAMES.length + 2);
    expect(live.most).toBe(limit);
  });
});
