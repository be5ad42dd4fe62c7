import type { FanOutInput, FanOutResult } from '../processes/fan-out.js';
import { inMs } from '../pairs.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: FanOutInput = { agents: 500, warmUpRounds: 6 };

/** Many sub-agents at once, without a network. */
export const fanOut: Row = {
  name: 'fan-out',
  async measure({ pairs, profileFolder }) {
    const runs: FanOutResult[] = [];
    for (let run = 0; run < pairs; run += 1)
      runs.push(await runProgram('fan-out', INPUT, { profileFolder }));
    const each = runs.map(({ cpuMs }) => cpuMs / INPUT.agents);
    const what = `${INPUT.agents} sub-agents at once, 3 requests and 2 tools each`;
    return [
      {
        what: `${what}: CPU each`,
        floor: '',
        ours: inMs(median(each)),
        ratio: '',
        goal: '≤ 0.7 ms',
        judged: { values: each, limit: 0.7 },
      },
      {
        what: 'the same: peak resident set',
        floor: '',
        ours: `${median(runs.map(({ peakRssMb }) => peakRssMb)).toFixed(0)} MB`,
        ratio: '',
        goal: '',
      },
    ];
  },
};
