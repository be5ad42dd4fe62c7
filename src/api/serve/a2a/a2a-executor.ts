import { TaskState, type Message } from '@a2a-js/sdk';
import type { AgentExecutor, RequestContext, TaskStore } from '@a2a-js/sdk/server';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, UsageError } from '../../../core/errors.js';
import type { PermissionRequest } from '../../../core/events.js';
import { isTerminalTaskStatus } from '../../../core/task-types.js';
import { describeRequests } from '../describe-requests.js';
import type { AgentState, ServedAgents, ServedClient } from '../serve-types.js';
import { toAnswer } from '../to-answer.js';
import { HOW_TO_DECIDE, readChoices, readDecision, readText } from './read-message.js';
import { createTaskEvents, dataPart, textPart, type TaskEvents } from './task-events.js';

/** Lines about the work are published at most this often: each is in the history of its task. */
const LINE_EVERY_MS = 1_000;

/** A task of A2A whose agent has not ended. */
type Run = { readonly agent: string; readonly ended: Promise<void> };

/**
 * Map tasks of A2A to agents. A context is a session: a further task of the context resumes it. A message to a task that
 * waits for a decision decides; to any other, it goes to the agent.
 */
export function createA2aExecutor(
  agents: ServedAgents,
  client: ServedClient,
  store: TaskStore,
): AgentExecutor {
  const runs = new Map<string, Run>();
  /** The session of each context. */
  const sessions = new Map<string, string>();

  const begin = async ({ contextId, userMessage }: RequestContext): Promise<string> => {
    const text = readText(userMessage);
    const choices = readChoices(userMessage);
    const known = sessions.get(contextId);
    if (known === undefined) {
      const { id } = await agents.spawn({ ...choices, prompt: text }, client);
      sessions.set(contextId, id);
      return id;
    }
    const [busy] = [...runs].find(([, { agent }]) => agent === known) ?? [];
    if (busy !== undefined)
      throw new UsageError(
        `The task ${busy} works in this context: send the message to the task, or wait for its end.`,
      );
    if (Object.keys(choices).length > 0)
      throw new UsageError(
        'A context keeps the choices of its first task: remove metadata.troupe.',
      );
    return (await agents.send(known, text, client)).id;
  };

  const start = async (context: RequestContext, events: TaskEvents): Promise<void> => {
    const { taskId } = context;
    let agent: string;
    try {
      agent = await begin(context);
    } catch (error) {
      return events.status(TaskState.TASK_STATE_REJECTED, [textPart(messageOf(error))]);
    }
    const ended = drive(agents, agent, events).finally(() => runs.delete(taskId));
    runs.set(taskId, { agent, ended });
    return ended;
  };

  return {
    async execute(context, bus) {
      const events = createTaskEvents(context, bus, store);
      const run = runs.get(context.taskId);
      if (run === undefined) {
        await events.begin(TaskState.TASK_STATE_SUBMITTED);
        return start(context, events);
      }
      await events.begin(TaskState.TASK_STATE_WORKING);
      try {
        await hear(agents, run.agent, context.userMessage, client);
      } catch (error) {
        await events.status(stateOf(agents.state(run.agent)), [textPart(messageOf(error))]);
      }
      return run.ended;
    },
    async cancelTask(taskId) {
      const run = runs.get(taskId);
      if (run === undefined) return;
      await agents.kill(run.agent, 'the A2A client cancelled the task');
      await run.ended;
    },
  };
}

/** Publish the work of an agent until its end. */
async function drive(agents: ServedAgents, id: string, events: TaskEvents): Promise<void> {
  let waited: readonly string[] = [];
  let nextLineAt = 0;
  const onLine = (line: string): void => {
    if (waited.length > 0 || performance.now() < nextLineAt) return;
    nextLineAt = performance.now() + LINE_EVERY_MS;
    void events.status(TaskState.TASK_STATE_WORKING, [textPart(line)]);
  };
  await events.status(TaskState.TASK_STATE_WORKING);
  for (;;) {
    const state = await agents.follow(id, {
      signal: new AbortController().signal,
      until: ({ waitsFor }) => !isDeepStrictEqual(waitsFor, waited),
      onLine,
    });
    if (isTerminalTaskStatus(state.status)) return publishEnd(state, events);
    waited = state.waitsFor;
    const requests = describeRequests(agents).filter(({ requestId }) => waited.includes(requestId));
    const asked = requests.map(
      ({ agent, tool, input, reason }) =>
        `The agent ${agent} asks to use ${tool}: ${JSON.stringify(input)}\nWhy it asks: ${reason}`,
    );
    const parts =
      requests.length === 0
        ? undefined
        : [textPart([...asked, HOW_TO_DECIDE].join('\n\n')), dataPart({ requests })];
    await events.status(stateOf(state), parts);
  }
}

async function publishEnd(
  { status, result, error = '' }: AgentState,
  events: TaskEvents,
): Promise<void> {
  if (status === 'completed') {
    await events.result(typeof result === 'string' ? textPart(result) : dataPart(result));
    return events.status(TaskState.TASK_STATE_COMPLETED);
  }
  const state = status === 'killed' ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED;
  return events.status(state, [textPart(error)]);
}

/** Take a further message of a task. @throws UsageError if it decides nothing */
async function hear(
  agents: ServedAgents,
  id: string,
  message: Message,
  client: ServedClient,
): Promise<void> {
  const { waitsFor } = agents.state(id);
  const pending: readonly PermissionRequest[] = agents
    .requests()
    .filter(({ requestId }) => waitsFor.includes(requestId));
  if (pending.length === 0) {
    await agents.send(id, readText(message), client);
    return;
  }
  const { request, decision } = readDecision(message, pending);
  const receipt = await agents.decide(
    request.requestId,
    toAnswer(decision, request, client.name),
    client.name,
  );
  if (receipt.status === 'already_decided')
    throw new UsageError(`The request was decided before, by ${receipt.by}.`);
}

function stateOf({ waitsFor }: Pick<AgentState, 'waitsFor'>): TaskState {
  return waitsFor.length > 0 ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_WORKING;
}
