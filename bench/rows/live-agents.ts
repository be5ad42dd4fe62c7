import type { LiveAgentsInput, LiveAgentsResult } from '../processes/live-agents.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: LiveAgentsInput = { agents: 1_000 };

/** What a process holds that has many agents alive. */
export const liveAgents: Row = {
  name: 'live-agents',
  async measure({ pairs, profileFolder }) {
    const sizes: number[] = [];
    for (let run = 0; run < pairs; run += 1) {
      const result = await runProgram<LiveAgentsResult>('live-agents', INPUT, { profileFolder });
      sizes.push(result.rssMb);
    }
    return [
      {
        what: `${INPUT.agents} agents that wait for their model: resident set`,
        floor: '',
        ours: `${median(sizes).toFixed(0)} MB`,
        ratio: '',
        goal: '≤ 300 MB',
        judged: { values: sizes, limit: 300 },
      },
    ];
  },
};
