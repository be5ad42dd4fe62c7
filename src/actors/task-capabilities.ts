import { UnknownRecipientError } from '../core/errors.js';
import type { TaskBackground, TaskKill } from '../core/events.js';
import { toAgentId, toTaskId, type AgentId, type TaskId } from '../core/ids.js';
import { textBlock, type ImageBlock, type TextBlock } from '../core/messages.js';
import { isTerminalTaskStatus } from '../core/task-types.js';
import { readIfThere } from '../tools/shell/tail-file.js';
import type { TaskCapabilities } from '../tools/tool.js';
import { tell } from './agent/agent-parts.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { SessionRuntime } from './session-types.js';
import { NotBelowError } from './not-below-error.js';
import { spawnTask } from './spawn/spawn-task.js';

/** What the tools of one agent may do with tasks: its own task spawns, the session's mail carries. */
export function createTaskCapabilities(
  session: SessionRuntime,
  taskId: TaskId,
  agentId: AgentId,
): TaskCapabilities {
  const { board, agents } = session;
  const taken = new Map<TaskId, number>();

  /** Whether `id` is below this agent's own task. */
  const isBelow = (id: TaskId): boolean => {
    for (let task = board.find(id); task !== undefined; task = board.find(task.parentId ?? ''))
      if (task.parentId === taskId) return true;
    return false;
  };

  return {
    spawn: (request) => spawnTask(session, taskId, agentId, request),
    find: (id) => board.find(id),
    list: () => board.list().filter((task) => task.id !== taskId && task.type !== 'session'),
    waitFor: (id, signal) => board.waitFor(id, signal),
    waitInForeground: (id, signal) => board.waitInForeground(id, signal),
    kill(id, reason) {
      if (!isBelow(id)) return Promise.reject(new NotBelowError(id));
      return killTask(session, id, reason);
    },
    async readOutput(id, from, maxBytes) {
      const task = board.find(id);
      if (task === undefined) return { text: '', next: from };
      return readIfThere(task.outputFile, from, maxBytes);
    },
    takenOutput: (id) => taken.get(id) ?? 0,
    takeOutput(id, next) {
      taken.set(id, next);
      if (board.find(id)?.parentId === taskId) board.outputTaken(id, next);
    },
    async send(to, text, summary) {
      const recipient = findRecipient(session, to, agents.get(agentId));
      const sender = agents.get(agentId)?.parts.name ?? agentId;
      const about = summary === undefined ? '' : ` summary=${JSON.stringify(summary)}`;
      const body = `<message from=${JSON.stringify(sender)}${about}>\n${text}\n</message>`;
      await deliver(session, recipient, 'message', agentId, [textBlock(body)]);
      return recipient.parts.id;
    },
  };
}

/** Sends `task.kill` and waits until the task and everything below it has ended. */
export function killTask(session: SessionRuntime, id: TaskId, reason: string) {
  session.board.actorOf(id)?.send({ type: 'task.kill', reason } satisfies TaskKill);
  return session.board.waitFor(id);
}

/**
 * Sends a task that is waited for to the background: whoever waits goes on, and its owner is notified of its end.
 *
 * @returns whether it went: not where it has ended, ends, or is in the background
 */
export async function backgroundTask({ board }: SessionRuntime, id: TaskId): Promise<boolean> {
  const task = board.find(id);
  if (task?.isBackgrounded !== false || task.outcome !== undefined) return false;
  board.actorOf(id)?.send({ type: 'task.background' } satisfies TaskBackground);
  await Promise.resolve(); // a task that is in the middle of a step takes it up right after
  return board.find(id)?.isBackgrounded === true;
}

/**
 * Puts mail into an agent's inbox and tells its machine. Resolves when it is on stable storage. What the recipient has
 * not taken when it ends stays in its journal, accepted and not received.
 */
export async function deliver(
  session: SessionRuntime,
  recipient: AgentRuntime,
  kind: 'prompt' | 'message',
  from: string,
  content: readonly (TextBlock | ImageBlock)[],
): Promise<void> {
  const { taskId } = recipient.parts;
  recipient.accept(session.envelope(kind, from, [...content]));
  const work = session.board.actorOf(taskId)?.getSnapshot().children['work'];
  if (work !== undefined) tell(work, { type: 'inbox.arrived', isPrompt: kind === 'prompt' });
  await recipient.syncMail();
}

/** By task id, agent id or name; `parent` is whoever started the sender. */
function findRecipient(
  session: SessionRuntime,
  to: string,
  sender: AgentRuntime | undefined,
): AgentRuntime {
  const { board, agents } = session;
  const { agentNameRegistry } = session.store.getState();
  const live = () => namesOfLive(session).join(', ') || 'nobody';
  const byName = Object.hasOwn(agentNameRegistry, to) ? agentNameRegistry[to] : undefined;
  const byTask = toTaskId(to);
  const id =
    to === 'parent'
      ? sender?.parts.parentAgentId
      : (byName ?? toAgentId(to) ?? (byTask === null ? undefined : session.agentOfTask(byTask)));
  const recipient = id === undefined ? undefined : agents.get(id);
  const task = id === undefined ? undefined : board.find(session.taskOfAgent(id) ?? '');
  if (recipient !== undefined && task !== undefined && !isTerminalTaskStatus(task.status)) {
    if (recipient === sender)
      throw new UnknownRecipientError(to, `"${to}" is yourself. Running: ${live()}.`);
    return recipient;
  }
  const why =
    task === undefined ? `there is no agent "${to}"` : `"${to}" has ended (${task.status})`;
  throw new UnknownRecipientError(to, `${why}. Running: ${live()}.`);
}

function namesOfLive({ agents }: SessionRuntime): readonly string[] {
  return [...agents.values()].map(({ parts }) => parts.name ?? parts.taskId);
}
