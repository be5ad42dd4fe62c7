import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { countProcesses } from '../processes/processes.js';
import { createPlace } from './support/place.js';
import { runSoak } from './support/soak/run-soak.js';
import { planSoak } from './support/soak/soak-plan.js';
import { findSoakProblems } from './support/soak/soak-problems.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** `TROUPE_SOAK_SEED=7`: the run of this seed. Only deep runs and `.ci/run` have time for it. */
const given = process.env['TROUPE_SOAK_SEED'];
const seeds =
  given?.split(',').map(Number) ?? Array.from({ length: isDeep ? 10 : 1 }, (_, at) => at + 1);
const worlds = seeds.flatMap((seed) =>
  (isDeep ? [0, 4] : [0]).map((moments) => ({ seed, moments })),
);

const report: string[] = [];
afterAll(() => console.log(report.join('\n')));

const replies = isDeep ? 200 : 90;

describe.runIf(isDeep || given !== undefined)('a session of many replies and 20 sub-agents', () => {
  it.for(worlds)(
    'is whole after it was killed at its worst moments, seed $seed, and $moments others',
    { timeout: 120_000 },
    async ({ seed, moments }, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const plan = planSoak({ seed, at: place.at, moments, replies });
      const startedAt = Date.now();
      const soak = await runSoak(place, plan);
      const { problems, counts } = await findSoakProblems(place, soak);
      const kills = plan.kills.map(({ kind, step }) => `${kind} at ${step}`).join(', ');
      const told = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
      report.push(`soak, seed ${seed}: ${kills}; ${told.join(', ')}; ${Date.now() - startedAt} ms`);

      expect({ seed, problems }).toEqual({ seed, problems: [] });
      expect(soak.last).toMatchObject({ code: 0, stderr: '' });
      expect(soak.last.lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success' });
      expect(counts).toMatchObject({ agents: 21, kills: 3 + moments });
      // one that a kill cuts off is not made up for
      expect(counts['compactions']).toBeGreaterThanOrEqual(moments === 0 ? 1 : 0);
      expect(counts['coordinatorTurns']).toBeGreaterThanOrEqual(replies);
      expect(countProcesses(`${plan.seconds}`)).toBe(0);
      expect(countProcesses(place.cwd)).toBe(0);
      expect(await readdir(place.temporary)).toEqual([]);
    },
  );
});
