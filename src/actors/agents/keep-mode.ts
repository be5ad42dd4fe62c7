import type { AgentId } from '../../core/ids.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { JournalLines } from '../../journal/journal.js';
import type { LiveAgents } from './agent-directory.js';
import type { PermissionState } from '../services/permission-state.js';

type KeptIn = {
  readonly journal: JournalLines;
  readonly permissions: PermissionState;
  readonly agents: LiveAgents;
};

/**
 * Write each change of the session's mode to the journal of its main agent, as long as the agent lives. A resumed
 * session keeps its last mode.
 */
export function keepMode({ journal, permissions, agents }: KeptIn, id: AgentId): void {
  const write = ({ mode: permissionMode, prePlanMode }: ToolPermissionContext): void =>
    void journal.append(journal.agentFile(id), { type: 'agent.mode', permissionMode, prePlanMode });
  const first = permissions.get();
  if (first.prePlanMode !== undefined) write(first); // the first line has no field for it
  permissions.subscribe((now, before) => {
    if (now.mode !== before.mode && agents.live.has(id)) write(now);
  });
}
