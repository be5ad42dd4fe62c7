import type { AgentId } from '../core/ids.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import type { SessionRuntime } from './session-types.js';

/**
 * Writes each change of the session's mode to the journal of its own agent, for as long as that lives: a session goes on
 * with the mode that it had last.
 */
export function keepMode(
  { journal, permissions, agents }: Pick<SessionRuntime, 'journal' | 'permissions' | 'agents'>,
  id: AgentId,
): void {
  const write = ({ mode: permissionMode, prePlanMode }: ToolPermissionContext): void =>
    void journal.append(`agents/${id}.jsonl`, { type: 'agent.mode', permissionMode, prePlanMode });
  const first = permissions.get();
  if (first.prePlanMode !== undefined) write(first); // what has no place in the line that it starts with
  permissions.subscribe((now, before) => {
    if (now.mode !== before.mode && agents.has(id)) write(now);
  });
}
