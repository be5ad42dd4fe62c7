import type { PastTask } from '../journal/entries/task-entries.js';
import type { AgentView, CallView } from './agent-view.js';
import { addCost, NO_COST, type Cost, type CostOf } from './cost.js';
import type { DecisionView } from './decision-view.js';
import { selectRequests } from './select-requests.js';
import type { ViewState } from './view-state.js';

/** A task with everything below it. */
export type TreeNode = {
  readonly task: PastTask;
  /** The agent of the task, if it has one. */
  readonly agent: AgentView | undefined;
  /** Permission requests of the agent that wait, oldest first. */
  readonly requests: readonly DecisionView[];
  /** Tool calls of the agent that have no result yet, oldest first. */
  readonly calls: readonly CallView[];
  readonly own: Cost;
  /** With everything below it. */
  readonly total: Cost;
  /** Number of requests that wait below it and in it. */
  readonly waiting: number;
  /** Tasks in which something waits for a person come first, then the order is that of their beginning. */
  readonly children: readonly TreeNode[];
};

/** The tree of the tasks of a session. */
export function selectTree(state: ViewState, costOf: CostOf): readonly TreeNode[] {
  const below = new Map<string | undefined, PastTask[]>();
  for (const task of state.tasks.values()) {
    const siblings = below.get(task.state.parentId);
    if (siblings === undefined) below.set(task.state.parentId, [task]);
    else siblings.push(task);
  }
  const requests = selectRequests(state);
  const toNode = (task: PastTask): TreeNode => {
    const agent = task.agentId === undefined ? undefined : state.agents.get(task.agentId);
    const own = requests.filter(({ taskId }) => taskId === task.state.id);
    const nodes = (below.get(task.state.id) ?? []).map(toNode);
    const cost = agent?.taskId === task.state.id ? costOfAgent(agent, costOf) : NO_COST;
    return {
      task,
      agent,
      requests: own,
      calls: [...(agent?.openCalls ?? [])].flatMap((id) => agent?.calls.get(id) ?? []),
      own: cost,
      total: [cost, ...nodes.map(({ total }) => total)].reduce(addCost),
      waiting: nodes.reduce((sum, { waiting }) => sum + waiting, own.length),
      children: nodes.toSorted((a, b) => Number(b.waiting > 0) - Number(a.waiting > 0)),
    };
  };
  return (below.get(undefined) ?? []).map(toNode);
}

/** Tokens and cost of an agent's own model requests. */
export function costOfAgent({ requests, unfinished, summed }: AgentView, costOf: CostOf): Cost {
  const single = [...requests, ...unfinished.values()].map((call) => ({
    usage: call.usage,
    usd: costOf(call),
  }));
  return [...summed.values(), ...single].reduce<Cost>(addCost, NO_COST);
}
