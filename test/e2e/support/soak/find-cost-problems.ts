import type { Soak } from './run-soak.js';
import type { AgentLife } from './soak-journal.js';
import { billOf, isSummaryRequest, partOf } from './soak-player.js';

/** Each answered request counts once, as it was billed; only what was under way at a kill may be missing or count in part. */
export function findCostProblems(
  { plan, api, killed, last }: Soak,
  lives: readonly AgentLife[],
): readonly string[] {
  const calls = lives.flatMap((life) => life.calls);
  const problems: string[] = [];
  const counted = new Map<number, number>();
  for (const { usage } of calls) {
    const index = usage.input_tokens - billOf(0).input;
    if (counted.has(index)) problems.push(`request ${index} is counted twice`);
    counted.set(index, usage.output_tokens);
  }
  const whoseOf = (index: number): string => {
    const body = api.requests[index]?.body;
    return body === undefined || isSummaryRequest(body) ? 'summary' : partOf(plan, body).mark;
  };
  const mayMiss = new Set(
    killed.flatMap(({ requests }) => {
      const newest = new Map<string, number>();
      for (let index = 0; index < requests; index += 1) newest.set(whoseOf(index), index);
      return [...newest.values()];
    }),
  );
  for (const { index } of api.requests) {
    const output = counted.get(index);
    if (output !== billOf(index).output && !mayMiss.has(index))
      problems.push(`request ${index} of ${whoseOf(index)} is counted with ${output}`);
  }
  const inUsd =
    sumOf(calls.map(({ usage }) => usage.input_tokens * 3 + usage.output_tokens * 15)) / 1e6;
  const told = Number(last.lines.at(-1)?.['total_cost_usd']);
  if (Math.abs(inUsd - told) > 1e-9)
    problems.push(`the result has a cost of ${told}, and it is ${inUsd}`);
  return problems;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
