import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { AgentId } from '../../core/ids.js';
import { agentMachine } from '../../machines/agent.js';
import { toolCallMachine } from '../../machines/tool-call.js';
import { tell } from './agent-parts.js';
import type { AgentRuntime } from './agent-runtime.js';

/** The agent machine with its effects: the same for an agent that is new and for one that runs again from its journal. */
export function createAgentLogic(agent: (id: AgentId) => AgentRuntime) {
  const toolCall = toolCallMachine.provide({
    actions: {
      validate: ({ context, self }, { id }) =>
        watch(parentOf(self), () => callsOf(context).validate(self, id)),
      decide: ({ context, self }, { id }) =>
        watch(parentOf(self), () => callsOf(context).decide(self, id)),
      applyAnswer: ({ context, self }, decided) =>
        watch(parentOf(self), () => callsOf(context).applyAnswer(self, context.id, decided)),
      execute: ({ context, self }, { id }) =>
        watch(parentOf(self), () => callsOf(context).execute(self, id)),
      abort: ({ context }, { id, reason }) => callsOf(context).abort(id, reason),
      recordCancelled: ({ context, self }, { id, reason }) =>
        watch(parentOf(self), () => callsOf(context).recordCancelled(self, id, reason)),
    },
  });
  const callsOf = ({ agentId }: { agentId: string }) => agent(agentId as AgentId).calls; // spawned by its agent

  return agentMachine.provide({
    actors: { toolCall },
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
      publishResult: (_, { agentId, id }) => agent(agentId).publishResult(id),
      acceptNotification: (_, { agentId, notification }) =>
        agent(agentId).acceptNotification(notification),
      acceptIdleNotice: (_, { agentId, notice }) => agent(agentId).acceptIdleNotice(notice),
      publishRest: (_, { agentId, rest }) => agent(agentId).publishRest(rest),
      tearOff: (_, { agentId }) => agent(agentId).tearOff(),
    },
  });
}

/** Runs an effect after the transition that asked for it. One that crashes ends its agent: never in silence. */
function watch(agent: AnyActorRef, effect: () => Promise<void>): void {
  Promise.resolve()
    .then(effect)
    .catch((error: unknown) => tell(agent, { type: 'effect.failed', failure: toFailure(error) }));
}

function parentOf(call: AnyActorRef): AnyActorRef {
  return call._parent as AnyActorRef; // a tool call is always its agent's child
}
