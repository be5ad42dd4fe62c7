import { toldOnce } from '../services/told-once.js';
import type { AnalyticsMetadata, AnalyticsSink } from '../contract/analytics.js';
import { promptTokensOf } from '../../core/tasks/usage.js';
import type { ObservedAgent, SessionObserver } from './session-observer.js';

/**
 * Events of a session for the sink of a program.
 *
 * @param pending gets the events that are sent later
 */
export function createAnalyticsEvents(
  sink: AnalyticsSink,
  sessionId: string,
  pending: Set<Promise<unknown>>,
): SessionObserver {
  const log = toldOnce(
    'The method `logEvent` of analytics',
    (name: string, own: AnalyticsMetadata) =>
      sink.logEvent(name, { session_id: sessionId, ...own }),
  );
  const logAsync = toldOnce(
    'The method `logEventAsync` of analytics',
    (name: string, own: AnalyticsMetadata) => {
      const sent = Promise.resolve(sink.logEventAsync(name, { session_id: sessionId, ...own }));
      pending.add(sent);
      const settled = (): void => void pending.delete(sent);
      sent.then(settled, settled);
      return sent;
    },
  );
  const sum = { requests: 0, input: 0, output: 0, costUsd: 0 as number | undefined };
  return {
    agentBegan(agent) {
      if (agent.isMain) log('session.started', {});
      log('agent.started', ofAgent(agent));
    },
    agentEnded(agent, status, { from, to }) {
      const ended = { status, duration_ms: to - from };
      log('agent.ended', { ...ofAgent(agent), ...ended });
      if (!agent.isMain) return;
      logAsync('session.ended', {
        ...ended,
        requests: sum.requests,
        input_tokens: sum.input,
        output_tokens: sum.output,
        cost_usd: sum.costUsd,
      });
    },
    requestEnded(agent, request, { from, to }) {
      const { requestedModel, model, usage, costUsd, isComplete } = request;
      const input = promptTokensOf(request.usage);
      sum.requests += 1;
      sum.input += input;
      sum.output += usage.output_tokens;
      if (model !== undefined)
        sum.costUsd =
          costUsd === undefined || sum.costUsd === undefined ? undefined : sum.costUsd + costUsd;
      log('model.request', {
        ...ofAgent(agent),
        model: model ?? requestedModel,
        duration_ms: to - from,
        input_tokens: input,
        output_tokens: usage.output_tokens,
        cost_usd: costUsd,
        is_complete: isComplete,
      });
    },
    callEnded({ toolName, agent }, isError, { from, to }) {
      const ended = { tool_name: toolName, duration_ms: to - from, is_error: isError };
      log('tool.call', { ...ofAgent(agent), ...ended });
    },
    waitEnded({ toolName, agentId, at }, decision, to) {
      log('permission.decided', {
        agent_id: agentId,
        tool_name: toolName,
        decision: decision?.behavior ?? 'withdrawn',
        approver: decision?.by,
        waited_ms: to - at,
      });
    },
  };
}

function ofAgent({ agentId, name }: ObservedAgent): AnalyticsMetadata {
  return { agent_id: agentId, agent_name: name };
}
