import type { SessionFilesResult } from '../processes/session-files.js';
import { runProgram } from '../processes.js';
import type { Line, Row } from '../row.js';

/** Files and folders: a count that is the same in every run. */
export const sessionFiles: Row = {
  name: 'session-files',
  async measure() {
    const { ofSession, ofSubAgent } = await runProgram<SessionFilesResult>('session-files', {});
    const toLine = (what: string, paths: readonly string[], limit: number): Line => ({
      what: `files and folders made before the first effect of a ${what}`,
      floor: '',
      ours: `${paths.length}`,
      ratio: '',
      goal: `≤ ${limit}`,
      judged: { values: Array.from({ length: 6 }, () => paths.length), limit },
    });
    return [toLine('session', ofSession, 4), toLine('sub-agent', ofSubAgent, 1)];
  },
};
