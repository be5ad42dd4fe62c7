import type { AgentId, TaskId } from '../../core/ids.js';
import { NO_USAGE } from '../../core/tasks/usage.js';
import type { JournalLines } from '../../journal/journal.js';
import type { UsageLedger } from '../../usage/usage-ledger.js';
import type { PastTasks } from '../tasks/past-tasks.js';
import type { TaskUsage } from '../contract/task-usage.js';

/** A command asks no model. */
const NOTHING = { usage: NO_USAGE, costUsd: 0, calls: 0 };
const NO_TASK_USAGE: TaskUsage = { total: NOTHING, own: NOTHING, byModel: new Map() };

/** The sources of a task's usage. */
export type UsageOwners = {
  readonly agents: { ofTask(id: TaskId): AgentId | undefined };
  readonly pastTasks: PastTasks;
  readonly shared: { readonly ledger: UsageLedger };
};

export function usageOf(owners: UsageOwners, id: TaskId): TaskUsage {
  const { ledger } = owners.shared;
  const agentId = owners.agents.ofTask(id);
  if (agentId === undefined) return NO_TASK_USAGE;
  if (!ledger.knows(agentId)) return pastUsageOf(owners, id);
  const budget = ledger.budget(agentId);
  return {
    total: ledger.subtree(agentId),
    own: ledger.own(agentId),
    byModel: ledger.subtreeByModel(agentId),
    ...(budget === undefined ? {} : { budget }),
  };
}

function pastUsageOf({ pastTasks }: UsageOwners, id: TaskId): TaskUsage {
  const { usage } = pastTasks.find(id) ?? {};
  return usage === undefined ? NO_TASK_USAGE : { ...usage, byModel: new Map(usage.byModel) };
}

/** Drop the usage of a task that leaves memory: from here on only the journal has it. */
export function keepUsage(
  journal: JournalLines,
  ledger: UsageLedger,
  id: TaskId,
  agentId: AgentId,
): void {
  if (!ledger.knows(agentId)) return;
  const total = ledger.subtree(agentId);
  if (total.calls > 0)
    journal.append('tasks.jsonl', {
      type: 'task.usage',
      id,
      usage: { total, own: ledger.own(agentId), byModel: [...ledger.subtreeByModel(agentId)] },
    });
  ledger.forget(agentId);
}
