import type { RequestId, TaskId } from '../../core/ids.js';
import type { PermissionRequest } from '../../core/events.js';
import type { Message } from '../../core/messages.js';
import { isTerminalTaskStatus, type TaskStateBase } from '../../core/task-types.js';
import type { AgentOrigin } from '../services/event-bus.js';
import type { WatchedEvent } from './hear-session.js';
import type { ObservedAgent, ObservedCall, SessionObserver } from './session-observer.js';

type Began<Value> = { readonly value: Value; readonly at: number };

/** Tell observers of a session. @returns a function that takes the events of the session in their order */
export function observeSession(
  observers: readonly SessionObserver[],
): (event: WatchedEvent) => void {
  const tell = (what: (observer: SessionObserver) => void): void => observers.forEach(what);
  const tasks = createTaskObserver(tell);
  const calls = createCallObserver(tell);
  const waiting = new Map<RequestId, PermissionRequest>();
  const endWait = (
    id: RequestId,
    decision: Parameters<NonNullable<SessionObserver['waitEnded']>>[1],
    at: number,
  ): void => {
    const request = waiting.get(id);
    if (request === undefined) return;
    waiting.delete(id);
    tell((one) => one.waitEnded?.(request, decision, at));
  };
  /** End the calls and waits of a task that has ended without their ends. */
  const forget = (task: TaskId, at: number): void => {
    for (const { requestId, taskId } of waiting.values())
      if (taskId === task) endWait(requestId, undefined, at);
    calls.forget(task, at);
  };

  return (event) => {
    const { name, args, at } = event;
    switch (name) {
      case 'task.status':
        if (isTerminalTaskStatus(args[0].status)) forget(args[0].id, at);
        return tasks.take(args[0], event.agent, at);
      case 'agent.sampled': {
        const [origin, durationMs, request] = args;
        const agent = tasks.agentOf(origin);
        return tell((one) => one.requestEnded?.(agent, request, { from: at - durationMs, to: at }));
      }
      case 'agent.message':
        return calls.take(tasks.agentOf(args[0]), args[1], at);
      case 'permission.requested': {
        const [request] = args;
        waiting.set(request.requestId, request);
        return tell((one) => one.waitBegan?.(request));
      }
      case 'permission.decided': {
        const [{ requestId }, { answer, by }] = args;
        return endWait(requestId, { behavior: answer.behavior, by }, at);
      }
      case 'permission.withdrawn': {
        const [id, by] = args;
        if (by === undefined) endWait(id, undefined, at); // otherwise the decision follows
        return;
      }
      default:
        return event satisfies never;
    }
  };
}

type Tell = (what: (observer: SessionObserver) => void) => void;

function createTaskObserver(tell: Tell) {
  const known = new Set<TaskId>();
  const working = new Map<TaskId, Began<ObservedAgent>>();
  return {
    agentOf({ taskId, agentId }: AgentOrigin): ObservedAgent {
      return working.get(taskId)?.value ?? { id: taskId, agentId, name: agentId, isMain: false };
    },
    take(task: TaskStateBase, facts: WatchedEvent['agent'], at: number): void {
      const { id, status, parentId, toolUseId, type } = task;
      if (isTerminalTaskStatus(status)) {
        const agent = working.get(id);
        working.delete(id);
        if (agent !== undefined)
          tell((one) => one.agentEnded?.(agent.value, status, { from: agent.at, to: at }));
        if (known.delete(id)) tell((one) => one.taskEnded?.(task));
        return;
      }
      if (!known.has(id)) tell((one) => one.taskBegan?.(task));
      known.add(id);
      if (facts === undefined || working.has(id) || !AGENTS.includes(type)) return;
      const name = facts.name ?? facts.type;
      const isMain = type === 'session';
      const agent = { id, parentId, toolUseId, agentId: facts.id, name, isMain };
      working.set(id, { value: agent, at });
      tell((one) => one.agentBegan?.(agent, at));
    },
  };
}

const AGENTS: readonly TaskStateBase['type'][] = [
  'session',
  'local_agent',
  'in_process_teammate',
  'dream',
];

function createCallObserver(tell: Tell) {
  const running = new Map<string, Began<ObservedCall>>();
  const end = ({ value, at: from }: Began<ObservedCall>, isError: boolean, to: number): void => {
    running.delete(value.id);
    tell((one) => one.callEnded?.(value, isError, { from, to }));
  };
  return {
    take(agent: ObservedAgent, { role, content }: Message, at: number): void {
      for (const block of content)
        if (role === 'assistant' && block.type === 'tool_use') {
          const call = { id: block.id, toolName: block.name, agent };
          running.set(call.id, { value: call, at });
          tell((one) => one.callBegan?.(call, at));
        } else if (role === 'user' && block.type === 'tool_result') {
          const call = running.get(block.tool_use_id);
          if (call !== undefined) end(call, block.is_error === true, at);
        }
    },
    /** End the calls of an agent that has ended without their results. */
    forget(task: TaskId, at: number): void {
      for (const call of running.values()) if (call.value.agent.id === task) end(call, true, at);
    },
  };
}
