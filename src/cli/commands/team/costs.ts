import type { TeamReport } from './team-report.js';

/** Describe the usage of the models of a team. */
export function describeUse({
  calls,
  tokens,
  costUsd,
}: Pick<TeamReport, 'calls' | 'tokens' | 'costUsd'>): string {
  if (calls === 0) return 'no model';
  return `${calls} model ${calls === 1 ? 'call' : 'calls'}, ${tokens} tokens, ${describeDollars(costUsd)}`;
}

export function describeDollars(costUsd: number | undefined): string {
  return costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
}
