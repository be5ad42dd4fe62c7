import type { DecisionView } from './decision-view.js';
import type { ViewState } from './view-state.js';

/** The permission requests that wait, oldest first. A request of an agent that has ended waits no more. */
export function selectRequests({ decisions, agents }: ViewState): readonly DecisionView[] {
  return [...decisions.values()]
    .filter(({ behavior, requestId, agentId, toolUseId }) => {
      if (behavior !== 'ask' || requestId === undefined) return false;
      const agent = agents.get(agentId);
      return agent === undefined || (agent.endedAs === undefined && agent.openCalls.has(toolUseId));
    })
    .toSorted((a, b) => a.at - b.at);
}
