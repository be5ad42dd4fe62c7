import { afterAll, describe, expect, it } from 'vitest';
import { textBlock, type Message } from '../../../src/core/messages.js';
import { createRandom } from '../../e2e/support/soak/random.js';
import {
  findTeamProblems,
  type TeamCounts,
} from '../../support/random-teams/find-team-problems.js';
import { createTeamPlayer } from '../../support/random-teams/play-teams.js';
import { runTeams } from '../../support/random-teams/run-teams.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** `TROUPE_TEAMS_SEED=7`: the run of this seed again, of the same size if `TROUPE_DEEP` is the same. */
const given = process.env['TROUPE_TEAMS_SEED'];
const seeds =
  given?.split(',').map(Number) ?? Array.from({ length: isDeep ? 200 : 5 }, (_, at) => at + 1);

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
      const { problems, counts } = findTeamProblems(
        await runTeams(seed, isDeep ? 'full' : 'small'),
      );
      all.push(counts);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      expect(counts.agents).toBeGreaterThan(1);
    },
  );
});

describe('the lead that the script plays', () => {
  it('looks again if a list came together with news that is newer than it', () => {
    const plan = { seed: 1, seconds: 1, teams: [{ name: 'crew', members: 1, jobs: 1 }] };
    const player = createTeamPlayer(plan, createRandom(1));
    const said = Array.from({ length: 4 }, (): Message => ({ role: 'assistant', content: [] }));
    const list = 'The list "crew":\n[>] #1 job 0 (m0)';
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: list } as const;
    const replyTo = (news: readonly string[]) =>
      player.reply({
        model: 'scripted',
        maxTokens: 100,
        system: [],
        tools: [],
        messages: [...said, { role: 'user', content: [result, ...news.map(textBlock)] }],
        origin: { agentId: 'amain-0123456789abcdef', agentType: 'main', name: 'main' },
      });

    expect(replyTo([])).toEqual({ text: 'Waiting.' }); // m0 has it, and is at work
    const look = { tools: [{ name: 'TaskList', input: { team_name: 'crew' } }] };
    for (const news of ['Continue.', '<task-notification>', '<teammate-idle name="m0">'])
      expect(replyTo([news])).toEqual(look);
  });
});
