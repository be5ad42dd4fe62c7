import { inMs } from '../pairs.js';
import { runProgram } from '../processes.js';
import type { AskLatencyInput, AskLatencyResult } from '../processes/ask-latency.js';
import type { Row } from '../row.js';
import { percentile } from '../statistics.js';

const INPUT: AskLatencyInput = { asks: 300, warmUpAsks: 30 };

/** Asks of an agent at depth 3, on the way that every ask takes. */
export const askLatency: Row = {
  name: 'ask-latency',
  async measure({ pairs, profileFolder }) {
    const latencies: number[] = [];
    const medians: number[] = [];
    for (let run = 0; run < pairs; run += 1) {
      const result = await runProgram<AskLatencyResult>('ask-latency', INPUT, { profileFolder });
      latencies.push(...result.latenciesMs);
      medians.push(percentile(result.latenciesMs, 50));
    }
    return [
      {
        what: `an ask from depth 3, beside a 2 s tool: tool call to answerer, median / p99`,
        floor: '',
        ours: `${inMs(percentile(latencies, 50))} / ${inMs(percentile(latencies, 99))}`,
        ratio: '',
        goal: '≤ 5 ms',
        judged: { values: medians, limit: 5 },
      },
    ];
  },
};
