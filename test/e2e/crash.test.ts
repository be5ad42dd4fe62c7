import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGate } from '../support/gate.js';
import { until } from '../processes/processes.js';
import { agent, answer, bash, write } from './support/answers.js';
import { findContradictions } from './support/journal-truth.js';
import { createPlace, type Place } from './support/place.js';

/** Two agents that leave a trace with every tool; requests from `holdFrom` on are never answered. */
async function startTraced(place: Place, { holdFrom = Infinity }: { holdFrom?: number } = {}) {
  const held = createGate();
  const play = answer({
    go: [
      {
        text: 'First.',
        tools: [write(place.at('a.txt'), 'a'), bash('echo go-1 >> trace.log'), agent('below')],
      },
      { tools: [bash('echo go-2 >> trace.log'), write(place.at('c.txt'), 'c')] },
      { text: 'Done.' },
    ],
    below: [
      { tools: [write(place.at('b.txt'), 'b'), bash('echo below-1 >> trace.log')] },
      { text: 'Below.' },
    ],
  });
  const api = await place.api({
    handler(request) {
      if (request.index < holdFrom) return play(request);
      held.open();
      return { connection: 'silent' };
    },
  });
  const troupe = place.start(['-p', 'go', '--permission-mode', 'bypassPermissions'], {
    api,
    env: { IS_SANDBOX: '1' },
  });
  return { api, troupe, held: held.opened };
}

/** Lines of all journals of the only session there is, so far. */
function countLines(place: Place): number {
  try {
    const names = readdirSync(place.troupeHome, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.jsonl'));
    const texts = files.map((name) => readFileSync(join(place.troupeHome, name), 'utf8'));
    return texts.reduce((count, text) => count + text.split('\n').length - 1, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0; // not begun yet
    throw error;
  }
}

const isDeep = process.env['TROUPE_DEEP'] !== undefined;

describe.concurrent('kill -9', () => {
  it.for(isDeep ? [0, 1, 2, 3, 4] : [0, 2, 4])(
    'before the first byte of answer %i leaves a journal that says what had happened',
    async (holdFrom, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const { api, troupe, held } = await startTraced(place, { holdFrom });
      await held;
      troupe.kill('SIGKILL');
      expect(await troupe.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(api.requests).toHaveLength(holdFrom + 1);
      expect(await findContradictions(place, api)).toEqual([]);
    },
  );

  it.for(isDeep ? [4, 8, 12, 16, 20, 24, 28, 32] : [8, 16, 24])(
    'at line %i of the journal leaves a journal that says what had happened',
    async (lines, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const { api, troupe } = await startTraced(place);
      await until(`line ${lines}`, () => countLines(place) >= lines);
      troupe.kill('SIGKILL');
      await troupe.ended;
      expect(await findContradictions(place, api)).toEqual([]);
    },
  );
});

describe('a run that was left alone', () => {
  it('has a journal that says what had happened', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { api, troupe } = await startTraced(place);
    expect(await troupe.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(api.requests).toHaveLength(5);
    expect(countLines(place)).toBeGreaterThan(32);
    expect(await findContradictions(place, api)).toEqual([]);
  });
});
