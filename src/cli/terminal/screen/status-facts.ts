import { totalTokens } from '../../../api/messages.js';
import type { SessionHandle } from '../../../api/types.js';
import { plainLine, type Line } from '../lines/line.js';
import type { StatusFacts } from './screen-state.js';

type DescribedSession = Pick<SessionHandle, 'contextUsage' | 'permissions' | 'tasks' | 'usage'>;

/** The facts of a session for the status line. */
export function statusFacts(session: DescribedSession): StatusFacts {
  const { model, tokens, contextWindow } = session.contextUsage();
  const { total } = session.usage();
  const left = Math.round((1 - tokens / contextWindow) * 100);
  const agents = session
    .tasks()
    .filter(({ type, status }) => type === 'local_agent' && status === 'running').length;
  return {
    mode: session.permissions().mode,
    model,
    contextLeft: tokens === 0 ? undefined : left,
    tokens: totalTokens(total.usage),
    costUsd: total.calls === 0 ? undefined : total.costUsd,
    agents,
  };
}

/** Width of a screen that has room for whole words. */
const WIDE = 60;

/** One line; a narrow terminal gets the most important facts. */
export function statusLines(
  facts: StatusFacts | undefined,
  requests: number,
  columns: number,
): readonly Line[] {
  if (facts === undefined) return [];
  const { mode, model, contextLeft, tokens, costUsd, agents } = facts;
  const parts = {
    requests:
      requests === 0 ? '' : requests === 1 ? '1 request waits' : `${requests} requests wait`,
    mode: `mode ${mode}`,
    model,
    agents: agents === 0 ? '' : agentsAtWork(agents, columns),
    context: contextLeft === undefined ? '' : `${contextLeft} % context left`,
    tokens: tokens === 0 ? '' : `${brief(tokens)} tokens`,
    cost: costUsd === undefined ? '' : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`,
  };
  const { requests: waiting, agents: atWork, ...others } = parts;
  let line = '';
  const kept = new Set<string>();
  for (const part of [waiting, atWork, ...Object.values(others)].filter((one) => one !== '')) {
    kept.add(part);
    const longer = `  ${Object.values(parts)
      .filter((one) => kept.has(one))
      .join(' · ')}`;
    if (longer.length > columns && line !== '') break;
    line = longer;
  }
  return [plainLine(line, 'quiet')];
}

function agentsAtWork(count: number, columns: number): string {
  const agents = count === 1 ? '1 agent' : `${count} agents`;
  return columns < WIDE ? agents : `${agents} at work`;
}

function brief(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000
    ? `${(count / 1_000).toFixed(1)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}
