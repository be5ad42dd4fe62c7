import type { PermissionDecided, PermissionRequest, TaskInput } from '../../src/core/events.js';
import { AgentId, RequestId, TaskId } from '../../src/core/ids.js';

export const agentId = AgentId.parse('a0123456789abcdef');
export const taskId = TaskId.parse('a00000001');
export const childId = TaskId.parse('a00000002');
export const shellId = TaskId.parse('b00000003');
export const requestId = RequestId.parse('ask_000000000001');
export const otherRequestId = RequestId.parse('ask_000000000002');

/** The input of a task. */
export function taskOf(id: TaskId, more: Partial<TaskInput> = {}): TaskInput {
  return {
    id,
    kind: 'local_agent',
    description: 'a task',
    depth: 1,
    isBackgrounded: true,
    spec: undefined,
    ...more,
  };
}

/** An ask that came from `from`. */
export function askFrom(from: string, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    type: 'permission.request',
    requestId,
    kind: 'permission',
    toolName: 'Bash',
    toolUseId: 'toolu_1',
    input: { command: 'rm x' },
    description: 'rm x',
    message: 'Run rm x?',
    suggestions: [],
    facts: undefined,
    agentId,
    agent: { id: agentId, type: 'worker', description: 'a task' },
    taskId,
    from,
    path: [],
    at: 1,
    ...more,
  };
}

/** An answer of a person that allows. */
export function allowed(more: Partial<PermissionDecided> = {}): PermissionDecided {
  return {
    type: 'permission.decision',
    requestId,
    answer: { behavior: 'allow' },
    by: 'person',
    path: [],
    at: 2,
    ...more,
  };
}
