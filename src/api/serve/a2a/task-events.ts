import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part, type Task, type TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  ResultManager,
  type AgentExecutionEvent,
  type ExecutionEventBus,
  type RequestContext,
  type TaskStore,
} from '@a2a-js/sdk/server';

/** The events of one task, in their order. Each is in the store before clients see it: they may be away. */
export interface TaskEvents {
  /** The first event of every message of a client. */
  begin(state: TaskState): Promise<void>;
  status(state: TaskState, parts?: readonly Part[]): Promise<void>;
  /** The result of the task. */
  result(part: Part): Promise<void>;
}

export function createTaskEvents(
  { taskId, contextId, task, userMessage, context }: RequestContext,
  bus: ExecutionEventBus,
  store: TaskStore,
): TaskEvents {
  const results = new ResultManager(store, context);
  let last: Promise<void> = Promise.resolve();
  const storeAndSend = async (before: Promise<void>, event: AgentExecutionEvent): Promise<void> => {
    await before;
    await results.processEvent(event);
    bus.publish(event);
  };
  const publish = (event: AgentExecutionEvent): Promise<void> => (last = storeAndSend(last, event));
  const toMessage = (parts: readonly Part[]): Message => ({
    messageId: randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [...parts],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  const statusOf = (state: TaskState, parts?: readonly Part[]): NonNullable<Task['status']> => ({
    state,
    message: parts === undefined ? undefined : toMessage(parts),
    timestamp: new Date().toISOString(),
  });
  const fresh = { artifacts: [], history: [userMessage], metadata: undefined };
  return {
    begin: (state) =>
      publish(
        AgentEvent.task({ ...fresh, ...task, id: taskId, contextId, status: statusOf(state) }),
      ),
    status: (state, parts) =>
      publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: statusOf(state, parts),
          metadata: undefined,
        }),
      ),
    result: (part) =>
      publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId: 'result',
            name: 'result',
            description: '',
            parts: [part],
            metadata: undefined,
            extensions: [],
          },
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      ),
  };
}

export function textPart(value: string): Part {
  return {
    content: { $case: 'text', value },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  };
}

export function dataPart(value: unknown): Part {
  return {
    content: { $case: 'data', value },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  };
}
