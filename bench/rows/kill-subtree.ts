import type { KillSubtreeInput, KillSubtreeResult } from '../processes/kill-subtree.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: KillSubtreeInput = { groups: 20, members: 9, shells: 50 };

/** From the kill of a tree until nothing of it is left: its commands ignore the first signal. */
export const killSubtree: Row = {
  name: 'kill-subtree',
  async measure({ pairs, profileFolder }) {
    const times: number[] = [];
    let agents = 0;
    for (let run = 0; run < pairs; run += 1) {
      const result = await runProgram<KillSubtreeResult>('kill-subtree', INPUT, { profileFolder });
      if (result.left > 0) throw new Error(`A kill has left ${result.left} alive.`);
      times.push(result.wallMs);
      agents = result.agents;
    }
    return [
      {
        what: `kill of ${agents} agents with ${INPUT.shells} stubborn commands`,
        floor: '',
        ours: `${median(times).toFixed(0)} ms`,
        ratio: '',
        goal: '≤ 1,000 ms',
        judged: { values: times, limit: 1_000 },
      },
    ];
  },
};
