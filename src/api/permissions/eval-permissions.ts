/** Cases with expected decisions, and the decisions of the rules. For front ends. */
import { describeReason } from '../../permissions/describe-reason.js';
import type { EvalCase } from '../../permissions/eval/eval-case.js';
import { judgeCase } from '../../permissions/eval/judge-case.js';
import { tally, type Tally } from '../../permissions/eval/tally.js';
import { loadBashGrammar } from '../../tools/shell/bash-grammar.js';

export { readEvalCase } from '../../permissions/eval/eval-case.js';

type JudgedCase = Pick<EvalCase, 'id' | 'expect'> & {
  readonly got: EvalCase['expect'];
  readonly reason: string;
};

/** Judge every case, and count the differences from the expected decisions. */
export async function judgeCases(
  cases: readonly EvalCase[],
): Promise<{ readonly judged: readonly JudgedCase[]; readonly counts: Tally }> {
  const hasShell = cases.some(({ kind }) => kind === 'shell');
  const parse = hasShell ? await loadBashGrammar() : undefined;
  const judged = cases.map((example) => {
    const { behavior: got, decisionReason } = judgeCase(example, parse);
    const { id, expect } = example;
    return { id, got, expect, reason: describeReason(decisionReason) };
  });
  return { judged, counts: tally(judged) };
}
