import type { Alarm } from '../services/timers.js';
import type { UsageTotals } from '../../usage/usage-ledger.js';
import { toFailure } from '../../core/errors.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import { isTerminalTaskStatus } from '../../core/task-types.js';
import { BudgetExceededError } from '../../usage/budget-exceeded-error.js';
import type { EventSource } from '../services/event-bus.js';
import type { LiveTasks } from '../tasks/task-registry.js';

type LimitedOwners = {
  readonly bus: EventSource;
  readonly tasks: LiveTasks;
  readonly agents: { ofTask(id: TaskId): AgentId | undefined };
  readonly shared: { readonly ledger: UsageTotals; readonly timers: Alarm };
};

/** End each task of a session, with everything below it, when its time budget is used up. */
export function keepTimeLimits({ bus, tasks, shared, agents }: LimitedOwners): void {
  const { ledger, timers } = shared;
  const running = new Map<TaskId, () => void>();
  bus.on('task.status', ({ id, status }) => {
    if (isTerminalTaskStatus(status)) {
      running.get(id)?.();
      running.delete(id);
    }
    const account = status === 'running' ? agents.ofTask(id) : undefined;
    if (account === undefined) return;
    const seconds = ledger.budget(account)?.cap.seconds;
    if (seconds === undefined) return;
    const end = (): void => {
      running.delete(id);
      const used = { account, unit: 'seconds' as const, cap: seconds, used: seconds, needed: 0 };
      const failure = toFailure(new BudgetExceededError(used));
      tasks.send(id, { type: 'task.kill', reason: failure.message, failure });
    };
    running.set(id, timers.after(seconds * 1_000, end));
  });
}
