import type { AgentId, TaskId } from '../../core/ids.js';
import type { ScheduleCapabilities } from '../../tools/capabilities/schedule-capabilities.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import type { SharedServices } from '../agents/session/shared-services.js';
import type { LiveTasks } from '../tasks/task-registry.js';
import { staysOpen } from '../tasks/task-activity.js';
import { ScheduleRefusedError } from './schedule-refused-error.js';

type ScheduleOwners = {
  readonly agents: LiveAgents;
  readonly tasks: LiveTasks;
  readonly shared: Pick<SharedServices, 'scheduler' | 'triggers' | 'timers' | 'admission'>;
};

/** The actions on schedules for the tools of one agent. */
export function createScheduleCapabilities(
  { agents, tasks, shared }: ScheduleOwners,
  taskId: TaskId,
  agentId: AgentId,
): ScheduleCapabilities {
  const { scheduler, triggers, timers, admission } = shared;
  const sleeps = new Map<string, number>();
  return {
    staysOpen: () => staysOpen(tasks, taskId),
    create: (wish) => scheduler.create(agentId, wish),
    list: () => scheduler.list(agentId),
    delete: (id) => scheduler.delete(agentId, id),
    async sleep(toolUseId, ms, signal) {
      const inbox = agents.live.get(agentId)?.parts.inbox;
      if (inbox === undefined) throw new ScheduleRefusedError('this agent is being ended');
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      sleeps.set(toolUseId, timers.now() + ms);
      const goOn = admission?.idle(taskId);
      try {
        return await Promise.race([
          timers.sleep(ms, either).then(() => ({ isWoken: false })),
          inbox.arrival(either).then(() => ({ isWoken: true })),
        ]);
      } finally {
        over.abort();
        sleeps.delete(toolUseId);
        goOn?.();
      }
    },
    sleepsUntil: (toolUseId) => sleeps.get(toolUseId),
    openTrigger: (wish) => triggers.open(agentId, wish),
    triggers: () => triggers.list(agentId),
    closeTrigger: (id) => triggers.delete(agentId, id),
  };
}
