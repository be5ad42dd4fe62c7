import type { AnyActorRef } from 'xstate';
import type { PermissionDecided } from '../../../core/events.js';
import type { AgentId } from '../../../core/ids.js';
import type { CancelReason } from '../../../machines/agent/tool-call.js';
import type { CallRuns } from './call-runs.js';

type Actor = { readonly self: AnyActorRef };
type Call = { readonly agentId: AgentId; readonly id: string };

/** The actions of every machine with tool calls. */
export function callActions(agent: (id: AgentId) => { readonly runs: CallRuns }) {
  return {
    startCall: ({ self }: Actor, { agentId, id }: Call) =>
      agent(agentId).runs.send(self, id, { type: 'call.start' }),
    cancelCall: ({ self }: Actor, { agentId, id, reason }: Call & { reason: CancelReason }) =>
      agent(agentId).runs.send(self, id, { type: 'call.cancel', reason }),
    answerCall: (
      { self }: Actor,
      { agentId, id, decided }: Call & { decided: PermissionDecided },
    ) => agent(agentId).runs.send(self, id, decided),
  };
}
