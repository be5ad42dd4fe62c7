import type { PreparedRun } from './prepare-run.js';
import type { SessionHandle } from '../../api/types.js';

/**
 * Report the unknown tools of agents: those in `used` now, all others when an agent first asks for them.
 */
export function warnOfAgents(
  { events }: Pick<SessionHandle, 'events'>,
  {
    missingTools,
    used,
  }: Pick<PreparedRun, 'missingTools'> & { readonly used: readonly (string | undefined)[] },
  warn: (line: string) => void,
): void {
  const left = new Map([...missingTools].filter(([, lines]) => lines.length > 0));
  const report = (type: string | undefined): void => {
    if (type === undefined) return;
    for (const line of left.get(type) ?? []) warn(line);
    left.delete(type);
  };
  used.forEach(report);
  if (left.size > 0)
    events.on('agent.message', (_, { content }) => typesAskedFor(content).forEach(report));
}

/** The types of the agents that a message asks for, even if they cannot start. */
function typesAskedFor(content: readonly { readonly type: string }[] | string): readonly string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => {
    const { input } = block as { readonly input?: { readonly subagent_type?: unknown } };
    const type = block.type === 'tool_use' ? input?.subagent_type : undefined;
    return typeof type === 'string' ? [type] : [];
  });
}
