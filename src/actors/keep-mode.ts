import type { AgentId } from '../core/ids.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import type { SessionRuntime } from './session-types.js';

/**
 * Writes each change of the session's mode to the journal of its own agent, for as long as that lives: a session goes on
 * with the mode that it had last.
 */
export function keepMode(
  { journal, store, agents }: Pick<SessionRuntime, 'journal' | 'store' | 'agents'>,
  id: AgentId,
): void {
  const write = ({ mode: permissionMode, prePlanMode }: ToolPermissionContext): void =>
    void journal.append(`agents/${id}.jsonl`, { type: 'agent.mode', permissionMode, prePlanMode });
  const first = store.getState().toolPermissionContext;
  if (first.prePlanMode !== undefined) write(first); // what has no place in the line that it starts with
  store.subscribe(({ newState, oldState }) => {
    const now = newState.toolPermissionContext;
    const isChanged = now.mode !== oldState.toolPermissionContext.mode;
    if (isChanged && agents.has(id)) write(now);
  });
}
