import type { AuditLine } from '../../api/types.js';
import { agentLabel } from './tool-subject.js';

type Path = readonly Pick<NonNullable<AuditLine['path']>[number], 'actor'>[];

/** Names of agents, by their ID or that of their task. */
export type AgentsOfTasks = ReadonlyMap<string, string>;

export function agentsOfTasks(
  lines: readonly Partial<Pick<AuditLine, 'agentId' | 'taskId'>>[],
): AgentsOfTasks {
  return new Map(
    lines.flatMap(({ agentId, taskId }) =>
      agentId === undefined || taskId === undefined ? [] : [[taskId, agentLabel(agentId)]],
    ),
  );
}

/**
 * Describe how a permission request climbed, by the names of its agents: `ada → main → person`.
 *
 * @param by the approver who decided
 * @returns undefined for a request that passed no other agent
 */
export function describePath(path: Path, by: string, agents: AgentsOfTasks): string | undefined {
  const names = path.flatMap(({ actor }) => {
    const label = agentLabel(actor);
    return agents.get(actor) ?? (label === actor ? [] : label);
  });
  const passed = names.filter((name, index) => name !== names[index - 1]);
  return passed.length < 2 ? undefined : [...passed, by].join(' → ');
}
