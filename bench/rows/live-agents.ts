import type { LiveAgentsInput, LiveAgentsResult } from '../processes/live-agents.js';
import { inMs } from '../pairs.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: LiveAgentsInput = { agents: 1_000 };

/** The memory of a process with many agents at work at once, and whether all of them finish. */
export const liveAgents: Row = {
  name: 'live-agents',
  async measure({ pairs, profileFolder }) {
    const runs: LiveAgentsResult[] = [];
    for (let run = 0; run < pairs; run += 1) {
      const result = await runProgram<LiveAgentsResult>('live-agents', INPUT, { profileFolder });
      const { finished, actorsLeft } = result;
      if (finished !== INPUT.agents || actorsLeft !== 0)
        throw new Error(`${finished} of ${INPUT.agents} agents finished, ${actorsLeft} are left.`);
      runs.push(result);
    }
    const sizes = runs.map(({ rssMb }) => rssMb);
    const peak = median(runs.map(({ peakRssMb }) => peakRssMb));
    const endMs = median(runs.map(({ endCpuMs }) => endCpuMs / INPUT.agents));
    const unjudged = { floor: '', ratio: '', goal: '' };
    return [
      {
        what: `${INPUT.agents} agents that wait for their model: resident set`,
        floor: '',
        ours: `${median(sizes).toFixed(0)} MB`,
        ratio: '',
        goal: '≤ 300 MB',
        judged: { values: sizes, limit: 300 },
      },
      {
        ...unjudged,
        what: 'the same, all continue at once and finish: CPU each; peak',
        ours: `${inMs(endMs)}; ${peak.toFixed(0)} MB`,
      },
    ];
  },
};
