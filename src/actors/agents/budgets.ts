import { z } from 'zod';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { describeRefusal, formatPath, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { AgentId } from '../../core/ids.js';
import { TaskBudget } from '../../core/tasks/task-budget.js';
import { ModelPrice, type ModelPrices } from '../../usage/prices.js';
import type { PastUsage, UsageLedger } from '../../usage/usage-ledger.js';
import type { ResumedSession } from './session/resumed-session.js';
import type { NewAgent } from './new-agent.js';

/** The limits that a session was started with. */
type SessionLimits = {
  readonly maxBudgetUsd?: number;
  readonly taskBudget?: TaskBudget;
};

/** The budget of a session, all its agents together; undefined without a limit. */
export function sessionBudget(
  { maxBudgetUsd, taskBudget }: SessionLimits,
  definition: AgentDefinition,
): TaskBudget | undefined {
  const budget = taskBudget ?? definition.taskBudget;
  if (maxBudgetUsd === undefined) return budget;
  return { ...budget, usd: Math.min(maxBudgetUsd, budget?.usd ?? Infinity) };
}

/** @throws UsageError */
export function checkBudget({ maxBudgetUsd, taskBudget }: SessionLimits): void {
  if (maxBudgetUsd !== undefined && !TaskBudget.shape.usd.safeParse(maxBudgetUsd).success)
    throw new UsageError(
      `maxBudgetUsd is ${String(maxBudgetUsd)}: an amount of USD above 0 is needed, such as 0.5.`,
    );
  checkTaskBudget(taskBudget);
}

/** @throws UsageError */
export function checkTaskBudget(taskBudget: TaskBudget | undefined): void {
  if (taskBudget !== undefined) checkPart(TaskBudget, taskBudget, 'taskBudget');
}

/** @throws UsageError */
export function checkPrices(prices: ModelPrices | undefined): ModelPrices | undefined {
  if (prices !== undefined) checkPart(z.record(z.string(), ModelPrice), prices, 'prices');
  return prices;
}

/** @throws UsageError that begins with the name of the option */
function checkPart(schema: z.ZodType, given: unknown, option: string): void {
  const { error } = schema.safeParse(given);
  if (error === undefined) return;
  const nameOf = (path: readonly PropertyKey[]): string => formatPath([option, ...path]);
  throw new UsageError(withFullStop(describeRefusal(error, given, nameOf)));
}

/**
 * Open the account for an agent's model requests. The usage of earlier processes of the session is booked first, then
 * the agent's usage before it left memory.
 */
export function openAccount(
  ledger: UsageLedger,
  id: AgentId,
  { parent, budget, asksNoModel }: NewAgent,
  resumed: ResumedSession | undefined,
  usedBefore: () => PastUsage | undefined,
): void {
  const used = ledger.knows(id) ? undefined : usedBefore();
  const earlier = parent === undefined ? resumed?.calls : undefined;
  for (const past of earlier?.keys() ?? []) ledger.forget(past); // a session may be resumed in the process that began it
  ledger.open(id, parent?.parts.id, budget, asksNoModel !== true);
  if (used !== undefined) ledger.recall(id, used);
  for (const [past, calls] of earlier ?? []) {
    if (past !== id) ledger.open(past, id);
    for (const call of calls) ledger.book(past, call);
    if (past !== id) ledger.close(past);
  }
}
