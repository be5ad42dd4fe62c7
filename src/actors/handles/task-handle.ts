import { TaskFailedError, UnknownRecipientError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { TaskOutcome } from '../../core/task-types.js';
import { checkContent } from '../contract/check-content.js';
import type { TaskHandle } from '../contract/handles.js';
import type { MailSender } from '../mail/mailroom.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import { isAtWork } from '../tasks/task-activity.js';
import { backgroundTask, killTask, sendToAgent } from '../tasks/task-commands.js';
import { TaskKilledError } from '../contract/task-killed-error.js';
import { liveAgentOf, type LiveAgents } from '../agents/agent-directory.js';
import { isAgent } from '../agents/runtime/live-caller.js';
import { readOutput, type OutputOwners } from '../agents/read-output.js';
import { usageOf, type UsageOwners } from '../agents/usage-of-task.js';

/** The sources and receivers of a handle. */
export type HandleOwners = UsageOwners &
  OutputOwners & {
    readonly agents: LiveAgents;
    readonly tasks: TaskRegistry;
    readonly mail: MailSender;
  };

/** Make a handle. It reads everything from the task registry, so it works for every kind of task. */
export function createTaskHandle(owners: HandleOwners, id: TaskId): TaskHandle {
  const { agents, tasks, mail } = owners;
  const outcome = tasks.waitFor(id);
  return {
    id,
    outcome,
    agentId: agents.ofTask(id),
    path: pathOf(tasks, id),
    get status() {
      return tasks.find(id)?.status ?? 'pending';
    },
    get result() {
      return outcome.then((ended) => resultOf(id, ended));
    },
    async send(text) {
      checkContent(text);
      const agent = liveAgentOf(agents, id);
      if (agent === undefined || !isAtWork(tasks, agent.parts.taskId))
        throw new UnknownRecipientError(id, `${id} has ended or has no conversation`);
      await mail.deliver(agent.parts, mail.envelope('message', 'user', [textBlock(text)]));
    },
    interrupt: () => sendToAgent(tasks, id, { type: 'agent.interrupt' }),
    kill: (reason = 'killed by the program') => killTask(tasks, id, reason),
    usage: () => usageOf(owners, id),
    background: async () => ((await backgroundTask(tasks, id)) ? [id] : []),
    textSoFar() {
      const caller = liveAgentOf(agents, id);
      return caller !== undefined && isAgent(caller) ? caller.sampling.textSoFar() : '';
    },
    output: async ({ from = 0 } = {}) => readOutput(owners, id, from),
  };
}

function resultOf(id: TaskId, outcome: TaskOutcome): unknown {
  switch (outcome.status) {
    case 'completed':
      return outcome.result;
    case 'failed':
      throw new TaskFailedError(outcome.failure);
    case 'killed':
      throw new TaskKilledError(id, outcome.reason);
  }
  return outcome satisfies never;
}

function pathOf(tasks: TaskRegistry, id: TaskId): readonly TaskId[] {
  const path: TaskId[] = [];
  for (let task = tasks.find(id); task !== undefined; task = tasks.find(task.parentId ?? ''))
    path.unshift(task.id);
  return path;
}
