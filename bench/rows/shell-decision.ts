import { getEmptyToolPermissionContext } from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import { shellFacts } from '../../src/permissions/eval/judge-case.js';
import { loadBashGrammar } from '../../src/tools/shell/bash-grammar.js';
import { inMs } from '../pairs.js';
import type { Row } from '../row.js';
import { CHAINS, shellLine } from '../shell-lines.js';
import { median, percentile } from '../statistics.js';

/** Decisions of each run, over all lines. */
const DECISIONS = 2_000;
const WARM_UP = 3_000;
/** So many that differ. */
const LINES = 100;
const LONG_LINES = 5;

const CONTEXT = {
  ...getEmptyToolPermissionContext(),
  alwaysAllowRules: { projectSettings: ['Bash(npm test *)', 'Bash(git *)', 'Read(/src/**)'] },
  alwaysDenyRules: { projectSettings: ['Bash(rm *)', 'Bash(curl *)', 'Read(.env)'] },
  alwaysAskRules: { projectSettings: ['Bash(git push *)'] },
};

/** Deciding on command lines; nothing is looked up on disk. */
export const shellDecision: Row = {
  name: 'shell-decision',
  async measure({ pairs }) {
    const parse = await loadBashGrammar();
    const timeOf = (work: () => void): number => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    };
    /** By the grammar, then all the rest. */
    const measureLine = (line: string): { readonly parsing: number; readonly deciding: number } => {
      let tree: ReturnType<typeof parse>;
      const parsing = timeOf(() => (tree = parse(line)));
      const deciding = timeOf(() =>
        decide(
          shellFacts(line, () => tree),
          CONTEXT,
        ),
      );
      return { parsing, deciding };
    };
    const measureAll = (lines: readonly string[], count: number) =>
      Array.from({ length: count }, (_, index) => measureLine(lines[index % lines.length] ?? ''));
    const whole = (line: string): number => {
      const { parsing, deciding } = measureLine(line);
      return parsing + deciding;
    };

    const lines = Array.from({ length: LINES }, (_, seed) => shellLine(1_000, seed + 1));
    const longLines = Array.from({ length: LONG_LINES }, (_, seed) => shellLine(10_000, seed + 1));
    const chains = Object.entries(CHAINS);
    measureAll(lines, WARM_UP);
    measureAll([...longLines, ...Object.values(CHAINS)], 3 * (LONG_LINES + chains.length));
    const runs = Array.from({ length: pairs }, () => {
      const all = measureAll(lines, DECISIONS);
      return {
        parsing: all.map(({ parsing }) => parsing),
        deciding: all.map(({ deciding }) => deciding),
        long: median(longLines.map(whole)),
        chains: chains.map(([, line]) => whole(line)),
      };
    });

    const parsing = runs.flatMap((run) => run.parsing);
    const medians = runs.map(({ deciding }) => median(deciding));
    const p99s = runs.map(({ deciding }) => percentile(deciding, 99));
    const longs = runs.map(({ long }) => long);
    const [slowest] = chains
      .map(([name], index) => ({ name, values: runs.map((run) => run.chains[index] ?? 0) }))
      .toSorted((a, b) => median(b.values) - median(a.values));
    if (slowest === undefined) throw new RangeError('There are no chains.');
    const line = { floor: '', ratio: '' };
    return [
      {
        ...line,
        what: 'a shell command of 1,000 characters, parsed: median / p99',
        ours: `${inMs(median(parsing))} / ${inMs(percentile(parsing, 99))}`,
        goal: '',
      },
      {
        ...line,
        what: 'the same decided on once it is parsed: median',
        ours: inMs(median(medians)),
        goal: '≤ 1 ms',
        judged: { values: medians, limit: 1 },
      },
      {
        ...line,
        what: 'the same: p99',
        ours: inMs(median(p99s)),
        goal: '≤ 2 ms',
        judged: { values: p99s, limit: 2 },
      },
      {
        ...line,
        what: '10,000 characters, parsed and decided on',
        ours: inMs(median(longs)),
        goal: '≤ 50 ms',
        judged: { values: longs, limit: 50 },
      },
      {
        ...line,
        what: `the slowest of ${chains.length} chains of that length: ${slowest.name}`,
        ours: inMs(median(slowest.values)),
        goal: '≤ 50 ms',
        judged: { values: slowest.values, limit: 50 },
      },
    ];
  },
};
