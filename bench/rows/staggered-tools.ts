import type { ConversationInput } from '../conversation-run.js';
import { describePairs, inMs, measurePairs } from '../pairs.js';
import { runProgram, withFake } from '../processes.js';
import type { Row } from '../row.js';

const WAITS_MS = [600, 450, 300, 150];
const GAP_MS = 150;

/** Tools start while the reply still streams: all four can end together, 600 ms after the first block. */
export const staggeredTools: Row = {
  name: 'staggered-tools',
  async measure({ pairs }) {
    const times = await measurePairs(pairs, (who) =>
      withFake(async ({ url, report }) => {
        const scenario = { kind: 'waits', waitsMs: WAITS_MS, gapMs: GAP_MS } as const;
        const input: ConversationInput = { url, warmUps: 1, scenario };
        await runProgram(who === 'floor' ? 'bare-loop' : 'troupe-loop', input);
        const { arrivals, firstBlockEndedAt } = await report();
        const next = arrivals.at(-1); // the request with the results is the last
        if (next === undefined || firstBlockEndedAt === undefined)
          throw new Error('The fake saw no tool use.');
        return next - firstBlockEndedAt;
      }),
    );
    return [
      {
        what: `tools of ${WAITS_MS.join(', ')} ms, ${GAP_MS} ms apart: first block to next request`,
        ...describePairs(times, inMs),
        goal: '≤ 612 ms (ideal 600)',
        judged: { values: times.map(({ ours }) => ours), limit: 612 },
      },
    ];
  },
};
