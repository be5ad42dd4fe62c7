import { inTimes } from '../pairs.js';
import type { ManyTasksInput, ManyTasksResult } from '../processes/many-tasks.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';

const INPUT: ManyTasksInput = { tasks: 10_000, live: 1_000 };

/** The cost of a task beside its work, however many there are. */
export const manyTasks: Row = {
  name: 'many-tasks',
  async measure({ pairs, profileFolder }) {
    const runs: ManyTasksResult[] = [];
    for (let run = 0; run < pairs; run += 1)
      runs.push(await runProgram('many-tasks', INPUT, { profileFolder }));
    const each = runs.map(({ eachMs }) => eachMs * 1_000);
    const growth = runs.map(({ firstTenthMs, lastTenthMs }) => lastTenthMs / firstTenthMs);
    const left = Math.max(...runs.map(({ actorsLeft }) => actorsLeft));
    const what = `${INPUT.tasks} tasks under one coordinator, ${INPUT.live} at a time`;
    return [
      {
        what: `${what}: spawn and end, CPU each`,
        floor: '',
        ours: `${median(each).toFixed(0)} µs`,
        ratio: '',
        goal: '≤ 100 µs',
        judged: { values: each, limit: 100 },
      },
      {
        what: 'the same: last tenth / first tenth; actors left',
        floor: '',
        ours: `${inTimes(median(growth))}; ${left}`,
        ratio: '',
        goal: 'flat; 0',
        judged: { values: growth.map((times) => (left > 0 ? Infinity : times)), limit: 1.15 },
      },
    ];
  },
};
