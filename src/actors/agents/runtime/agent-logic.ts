import type { AgentId } from '../../../core/ids.js';
import { agentMachine } from '../../../machines/agent/agent.js';
import { watch } from '../parts/effects.js';
import type { AgentRuntime } from './agent-runtime.js';
import { callActions } from './call-actions.js';

/** The agent machine with its effects, for new agents and for those that run again from their journals. */
export function createAgentLogic(agent: (id: AgentId) => AgentRuntime) {
  return agentMachine.provide({
    actions: {
      prepare: ({ self }, { agentId, turn }) =>
        watch(self, () => agent(agentId).prepare(self, turn)),
      sample({ self }, { agentId, turn }) {
        const { sampling } = agent(agentId);
        sampling.renew();
        watch(self, () => sampling.sample(self, turn));
      },
      conclude: ({ self }, { agentId, ...question }) =>
        watch(self, () => agent(agentId).conclude(self, question)),
      compact({ self }, { agentId, turn, trigger }) {
        const { compaction } = agent(agentId);
        compaction.renew();
        watch(self, () => compaction.compact(self, turn, trigger));
      },
      abortSampling: (_, { agentId }) => agent(agentId).abortSampling(),
      ...callActions(agent),
      publishResult: (_, { agentId, id }) => agent(agentId).publishResult(id),
      acceptNotification: (_, { agentId, notification }) =>
        agent(agentId).acceptNotification(notification),
      acceptIdleNotice: (_, { agentId, notice }) => agent(agentId).acceptIdleNotice(notice),
      publishTurnOutcome: (_, { agentId, turnOutcome }) =>
        agent(agentId).publishTurnOutcome(turnOutcome),
      tearOff: (_, { agentId }) => agent(agentId).tearOff(),
    },
  });
}
