import type { PermissionRequest } from '../../src/core/events.js';
import type { AgentId, RequestId, TaskId } from '../../src/core/ids.js';
import type { PermissionUpdate } from '../../src/core/permission-types.js';

export const ALWAYS: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'make *' }],
  behavior: 'allow',
  destination: 'session',
};

/** A permission request of the worker `ada`. */
export function requestFor(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  more: Partial<PermissionRequest> = {},
): PermissionRequest {
  const agentId = 'aada-0123456789abcdef' as AgentId;
  return {
    type: 'permission.request',
    requestId: 'ask_000000000001' as RequestId,
    kind: 'permission',
    toolName,
    toolUseId: 'toolu_1',
    input,
    description: toolName,
    message: `${toolName}: No rule allows it.`,
    suggestions: [],
    facts: undefined,
    agentId,
    agent: { id: agentId, name: 'ada', type: 'worker', description: 'repair split.js' },
    taskId: 'a00000001' as TaskId,
    from: 'work',
    path: [],
    at: 0,
    ...more,
  };
}

export function requestOf(command: string): PermissionRequest {
  return requestFor('Bash', { command }, { suggestions: [ALWAYS] });
}
