import { afterAll, describe, expect, it } from 'vitest';
import { findTeamProblems, type TeamCounts } from '../support/random-teams/find-team-problems.js';
import { runTeams } from '../support/random-teams/run-teams.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** `TROUPE_TEAMS_SEED=7`: the run of this seed again. */
const given = process.env['TROUPE_TEAMS_SEED'];
const seeds =
  given?.split(',').map(Number) ?? Array.from({ length: isDeep ? 200 : 20 }, (_, at) => at + 1);

const all: TeamCounts[] = [];
afterAll(() => {
  const names = Object.keys(all[0] ?? {}) as (keyof TeamCounts)[];
  const sums = names.map((name) => `${name} ${all.reduce((sum, one) => sum + one[name], 0)}`);
  console.log(`random teams: runs ${all.length}, ${sums.join(', ')}`);
});

describe('teams whose tools crash and whose members are killed', () => {
  it.for(seeds)(
    'do every job once and lose no message, process or task, seed %d',
    { timeout: 60_000 },
    async (seed) => {
      const { problems, counts } = findTeamProblems(await runTeams(seed));
      all.push(counts);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      expect(counts.agents).toBeGreaterThan(1);
    },
  );
});
