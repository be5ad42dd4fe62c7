import type { AnyActorRef } from 'xstate';
import type { CompactionReport } from '../core/compaction.js';
import { tell } from './agent/agent-parts.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import { CompactionFailedError } from './agent/compaction-failed-error.js';

/**
 * Compacts the conversation of a live agent, at once where it is idle and before its next request otherwise.
 *
 * @param work its actor; undefined where it has ended
 * @param ended resolves when it has
 * @throws CompactionFailedError
 */
export async function compactAgent(
  agent: Pick<AgentRuntime, 'compaction'>,
  work: AnyActorRef | undefined,
  ended: Promise<unknown>,
  instructions: string | undefined,
): Promise<CompactionReport> {
  const over = (): CompactionFailedError =>
    new CompactionFailedError({ code: 'AGENT_ENDED', message: 'the agent has ended.' });
  if (work === undefined) throw over();
  const report = agent.compaction.next(instructions);
  tell(work, { type: 'agent.compact' });
  return Promise.race([
    report,
    ended.then((): never => {
      throw over();
    }),
  ]);
}
