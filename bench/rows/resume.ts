import { inMs } from '../pairs.js';
import type { ResumeInput, ResumeResult } from '../processes/resume.js';
import { runProgram } from '../processes.js';
import type { Row } from '../row.js';
import { median } from '../statistics.js';
import { withFolder } from '../temporary-folder.js';

const TURNS = 5_000;

/** How long a session with a long past takes to resume. */
export const resume: Row = {
  name: 'resume',
  measure: ({ pairs, profileFolder }) =>
    withFolder(async (folder) => {
      await runProgram('resume', { folder, turns: TURNS } satisfies ResumeInput);
      const times: number[] = [];
      for (let run = 0; run < pairs; run += 1) {
        const input: ResumeInput = { folder };
        const result = await runProgram<ResumeResult>('resume', input, { profileFolder });
        if (result.messages < 2 * TURNS)
          throw new Error(`The first request had ${result.messages} messages.`);
        times.push(result.firstRequestMs);
      }
      return [
        {
          what: `resume of ${2 * TURNS} messages: to the first request`,
          floor: '',
          ours: inMs(median(times)),
          ratio: '',
          goal: '≤ 500 ms',
          judged: { values: times, limit: 500 },
        },
      ];
    }),
};
