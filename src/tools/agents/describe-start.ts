import { findAgentDefinition } from '../../core/agents/agent-type.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import { stricterMode } from '../../permissions/modes/modes.js';
import type { RequestDetails, RequestSurroundings } from '../request-details.js';
import type { AgentInput } from './agent-input.js';

/** Describe the mode, the tools and the budget of an agent that a call would start. */
export function describeStart(
  { subagent_type: type, mode, resume }: AgentInput,
  { mode: own, definitions, taskBudget }: RequestSurroundings,
): RequestDetails {
  const definition = findAgentDefinition(definitions, type);
  const wanted = mode ?? (resume === undefined ? definition?.permissionMode : undefined);
  const modeName = wanted === undefined ? own : stricterMode(own, wanted);
  return {
    Mode: resume === undefined || mode !== undefined ? modeName : `as before, at most ${own}`,
    Tools: describeTools(definition),
    Budget: describeBudget(definition?.taskBudget ?? taskBudget),
  };
}

function describeTools({
  tools,
  disallowedTools = [],
}: Pick<RequestSurroundings['definitions'][number], 'tools' | 'disallowedTools'> = {}): string {
  const named = tools === undefined || tools.includes('*') ? ALL : tools.join(', ') || 'none';
  return disallowedTools.length === 0 ? named : `${named}, without ${disallowedTools.join(', ')}`;
}

const ALL = 'those of the agent that asks';

const UNITS = {
  usd: ['US dollars', 'US dollars'],
  tokens: ['token', 'tokens'],
  turns: ['model request', 'model requests'],
  seconds: ['second', 'seconds'],
  agents: ['agent below it at once', 'agents below it at once'],
  depth: ['level of agents below it', 'levels of agents below it'],
} as const satisfies Record<keyof TaskBudget, readonly [string, string]>;

function describeBudget(budget: TaskBudget = {}): string {
  const limits = (Object.keys(UNITS) as (keyof TaskBudget)[]).flatMap((unit) => {
    const limit = budget[unit];
    return limit === undefined ? [] : [`${limit} ${UNITS[unit][limit === 1 ? 0 : 1]}`];
  });
  return limits.length === 0 ? 'no limit but those above it' : limits.join(', ');
}
