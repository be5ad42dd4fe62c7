import { inTimes } from '../pairs.js';
import type { EndedTasksInput, EndedTasksResult } from '../processes/ended-tasks.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: EndedTasksInput = { tasks: 10_000, live: 100 };
/** One takes half a minute. */
const MOST_RUNS = 3;

/** The memory of agents that have ended. */
export const endedTasks: Row = {
  name: 'ended-tasks',
  async measure({ pairs, profileFolder }) {
    const runs: EndedTasksResult[] = [];
    for (let run = 0; run < Math.min(pairs, MOST_RUNS); run += 1)
      runs.push(await runProgram('ended-tasks', INPUT, { profileFolder }));
    const growth = runs.map(({ firstTenthMs, lastTenthMs }) => lastTenthMs / firstTenthMs);
    const heap = runs.map(({ heapGrownMb }) => heapGrownMb);
    const rss = runs.map(({ rssGrownMb }) => rssGrownMb);
    const left = Math.max(...runs.map(({ actorsLeft }) => actorsLeft));
    const what = `${INPUT.tasks} agents of a session, ${INPUT.live} at a time`;
    return [
      {
        what: `${what}: CPU of one, last tenth / first tenth; actors left`,
        floor: '',
        ours: `${inTimes(median(growth))}; ${left}`,
        ratio: '',
        goal: 'flat; 0',
        judged: { values: growth.map((times) => (left > 0 ? Infinity : times)), limit: 1.15 },
      },
      {
        what: 'the same: heap (resident set), after the last tenth more than after the first',
        floor: '',
        ours: `${median(heap).toFixed(1)} MB (${median(rss).toFixed(0)} MB)`,
        ratio: '',
        goal: '≤ 5 MB',
        judged: { values: heap, limit: 5 },
      },
    ];
  },
};
