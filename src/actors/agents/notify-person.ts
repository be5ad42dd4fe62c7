import type { AgentId, TaskId } from '../../core/ids.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import type { EventSource } from '../services/event-bus.js';
import type { Alarm } from '../services/timers.js';
import { staysOpen } from '../tasks/task-activity.js';
import type { LiveTasks } from '../tasks/task-registry.js';
import type { AgentDirectory } from './agent-directory.js';
import { hookSubject } from './parts/hook-subject.js';

export type NotifyingOwners = {
  readonly hooks: Pick<SessionHooks, 'run'>;
  readonly bus: EventSource;
  readonly agents: Pick<AgentDirectory, 'live'>;
  readonly tasks: LiveTasks;
  readonly options: { readonly taskId: TaskId };
  readonly shared: { readonly timers: Alarm };
};

type Notice = Readonly<Record<'notification_type' | 'title' | 'message', string>>;

/** How long an idle main agent waits for a prompt before the person hears of it. */
const IDLE_MS = 60_000;

/** Run the hooks of `Notification` if an agent waits for a person. @returns a function that ends the wait of an idle agent */
export function notifyPerson({
  hooks,
  bus,
  agents,
  tasks,
  options,
  shared: { timers },
}: NotifyingOwners): () => void {
  const { signal } = new AbortController();
  const unheard = (): void => {}; // the session is over and its journal closed, so nobody would see the error
  let cancelIdle = (): void => {};
  const isMain = (id: AgentId): boolean => agents.live.get(id)?.parts.depth === 0;
  const notify = (id: AgentId, own: Notice): void => {
    const agent = agents.live.get(id);
    if (agent === undefined) return;
    const cause = { ...hookSubject(agent.parts), matched: [own.notification_type] };
    hooks.run('Notification', cause, own, signal).catch(unheard);
  };
  bus.on('permission.requested', ({ agentId, toolName }) => notify(agentId, noticeOf(toolName)));
  bus.on('agent.idle', ({ agentId }) => {
    if (!isMain(agentId)) return;
    cancelIdle();
    cancelIdle = timers.after(IDLE_MS, () => {
      if (!staysOpen(tasks, options.taskId)) return;
      notify(agentId, {
        notification_type: 'idle_prompt',
        title: 'Waiting for input',
        message: 'Troupe has been waiting for your input for a minute.',
      });
    });
  });
  bus.on('agent.message', ({ agentId }) => {
    if (isMain(agentId)) cancelIdle();
  });
  return () => cancelIdle();
}

/** @param toolName the tool that waits, or `Elicitation`: a question of an MCP server */
function noticeOf(toolName: string): Notice {
  if (toolName === 'Elicitation')
    return {
      notification_type: 'elicitation_dialog',
      title: 'Question of a server',
      message: 'An MCP server has a question for you.',
    };
  return {
    notification_type: 'permission_prompt',
    title: 'Permission needed',
    message: `Your permission is needed to use ${toolName}.`,
  };
}
