import type { SessionHandle } from '../../api/types.js';
import { describeKept } from '../../api/permissions/permissions.js';
import { createDeniedCalls } from './denied-calls.js';
import { describeNotice } from '../summaries/describe-notice.js';
import { warnOfAgents } from '../run/warn-of-agents.js';

/**
 * Report on stderr: hooks that fail, servers that do not connect, rules that are remembered, unknown tools of agents.
 *
 * @returns a function that reports the denied tool calls, for the end of the session
 */
export function warnOfSession(
  { events }: Pick<SessionHandle, 'events'>,
  agents: Parameters<typeof warnOfAgents>[1],
  warn: (line: string) => void,
): () => void {
  warnOfAgents({ events }, agents, warn);
  events.on('hook.notice', (_, notice) => warn(describeNotice(notice)));
  events.on('instructions.problem', (_, problem) => warn(problem));
  events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed') warn(`The MCP server "${name}" is not connected: ${problem}`);
  });
  events.on('settings.changed', warn);
  events.on('permission.ineffective', warn);
  events.on('permission.kept', (kept) => warn(describeKept(kept)));
  const denied = createDeniedCalls();
  events.on('permission.denied', (_, denial) => denied.note(denial));
  events.on('tool.cancelled', (_, call) => denied.noteCancelled(call));
  return () => denied.lines().forEach((line) => warn(line));
}
