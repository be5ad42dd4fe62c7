import { TroupeError } from '../../core/errors.js';
import type { Admission } from '../tasks/admission.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { TaskCapabilities } from '../../tools/capabilities/task-capabilities.js';
import type { TaskRecorder } from '../tasks/task-recorder.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import { killTask } from '../tasks/task-commands.js';
import { readOutput, type OutputOwners } from '../agents/read-output.js';
import type { Spawn } from './spawn-task.js';
import { sendMessage, type MessageOwners } from '../teams/send-message.js';

type TaskOwners = MessageOwners &
  OutputOwners & {
    readonly tasks: TaskRegistry;
    readonly recorder: TaskRecorder;
    readonly shared: { readonly admission: Admission | undefined };
    readonly spawn: Spawn;
  };

/** The actions on tasks for the tools of one agent: its own task spawns, the session delivers messages. */
export function createTaskCapabilities(
  owners: TaskOwners,
  taskId: TaskId,
  agentId: AgentId,
): TaskCapabilities {
  const { tasks, recorder } = owners;
  const taken = new Map<TaskId, number>();

  /** Whether `id` is below this agent's own task. */
  const isBelow = (id: TaskId): boolean => {
    for (let task = tasks.find(id); task !== undefined; task = tasks.find(task.parentId ?? ''))
      if (task.parentId === taskId) return true;
    return false;
  };

  return {
    spawn: (request) => owners.spawn(taskId, agentId, request),
    find: (id) => tasks.find(id),
    list: () => tasks.list().filter((task) => task.id !== taskId && task.type !== 'session'),
    waitFor(id, signal) {
      const goOn = owners.shared.admission?.idle(taskId);
      return tasks.waitFor(id, signal).finally(goOn);
    },
    waitInForeground: (id, signal) => tasks.foreground.waitFor(id, signal),
    kill(id, reason) {
      if (!isBelow(id)) return Promise.reject(new NotBelowError(id));
      return killTask(tasks, id, reason);
    },
    async readOutput(id, from, maxBytes) {
      if (tasks.find(id) === undefined) return { text: '', next: from };
      return readOutput(owners, id, from, maxBytes);
    },
    takenOutput: (id) => taken.get(id) ?? 0,
    takeOutput(id, next) {
      taken.set(id, next);
      const task = tasks.find(id);
      if (task?.parentId === taskId && next > task.outputOffset)
        recorder.note(id, { outputOffset: next });
    },
    send: (to, message, summary) => sendMessage(owners, agentId, to, message, summary),
  };
}

/** An agent tried to end a task that neither it nor an agent below it had started. */
class NotBelowError extends TroupeError {
  override readonly name = 'NotBelowError';
  readonly code = 'NOT_BELOW';

  constructor(id: string) {
    super(`${id} was not stopped: it was not started by this agent or by one below it.`, {
      recoverable: true,
      details: { id },
    });
  }
}
