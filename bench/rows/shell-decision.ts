import { getEmptyToolPermissionContext } from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import { shellFacts } from '../../src/permissions/eval/judge-case.js';
import { loadBashGrammar } from '../../src/tools/shell/bash-grammar.js';
import { inMs } from '../pairs.js';
import type { Row } from '../row.js';
import { median, percentile } from '../statistics.js';

const DECISIONS = 300;
const WARM_UP = 100;
const PIECE = 'grep -rn "foo bar" src 2>/dev/null | head -n 20; git log --oneline -5 -- a.ts\n';

const CONTEXT = {
  ...getEmptyToolPermissionContext(),
  alwaysAllowRules: { projectSettings: ['Bash(npm test *)', 'Bash(git *)', 'Read(/src/**)'] },
  alwaysDenyRules: { projectSettings: ['Bash(rm *)', 'Bash(curl *)', 'Read(.env)'] },
  alwaysAskRules: { projectSettings: ['Bash(git push *)'] },
};

/** Reading a command line, twice, and deciding on it; nothing is looked up on disk. */
export const shellDecision: Row = {
  name: 'shell-decision',
  async measure({ pairs }) {
    const parse = await loadBashGrammar();
    const timesOf = (command: string, count: number): readonly number[] =>
      Array.from({ length: count }, () => {
        const startedAt = performance.now();
        decide(shellFacts(command, parse), CONTEXT);
        return performance.now() - startedAt;
      });
    const commands = {
      short: 'git diff HEAD~1 | head',
      long: lineOf(1_000),
      longest: lineOf(10_000),
    };
    for (const command of Object.values(commands)) timesOf(command, WARM_UP);
    const runs = Array.from({ length: pairs }, () => ({
      short: median(timesOf(commands.short, DECISIONS)),
      long: timesOf(commands.long, DECISIONS),
      longest: median(timesOf(commands.longest, 10)),
    }));
    const shorts = runs.map(({ short }) => short);
    const p99s = runs.map(({ long }) => percentile(long, 99));
    const longests = runs.map(({ longest }) => longest);
    const line = { floor: '', ratio: '' };
    return [
      {
        ...line,
        what: 'a decision on a shell command, median',
        ours: inMs(median(shorts)),
        goal: '≤ 1 ms',
        judged: { values: shorts, limit: 1 },
      },
      {
        ...line,
        what: 'the same with 1,000 characters: median / p99',
        ours: `${inMs(median(runs.flatMap(({ long }) => long)))} / ${inMs(median(p99s))}`,
        goal: 'p99 ≤ 2 ms',
        judged: { values: p99s, limit: 2 },
      },
      {
        ...line,
        what: 'the same with 10,000 characters',
        ours: inMs(median(longests)),
        goal: '≤ 50 ms',
        judged: { values: longests, limit: 50 },
      },
    ];
  },
};

function lineOf(length: number): string {
  return `${PIECE.repeat(Math.floor((length - 10) / PIECE.length))}pwd`;
}
