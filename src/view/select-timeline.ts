import type { AgentView, Span } from './agent-view.js';
import type { ViewState } from './view-state.js';

/** A stretch of time of an agent. Times are epoch ms. */
export type Stretch = {
  readonly kind: Span['activity'] | 'call' | 'decision';
  /** The tool of a call or a decision. */
  readonly label: string;
  readonly from: number;
  /** Undefined if it has not ended. */
  readonly to: number | undefined;
  readonly outcome: 'done' | 'failed' | 'denied' | undefined;
};

/** The time of an agent: its activities, its tool calls, and its waits for decisions, by their beginning. */
export function selectTimeline({ decisions }: ViewState, agent: AgentView): readonly Stretch[] {
  const activities: readonly Stretch[] = [
    ...agent.spans.map(({ activity: kind, from, to }) => ({ kind, from, to })),
    ...(agent.activity === 'ended'
      ? []
      : [{ kind: agent.activity, from: agent.since, to: undefined }]),
  ].map((span) => ({ ...span, label: '', outcome: undefined }));
  const calls = [...agent.calls.values()].flatMap(
    ({ id, tool, at, result }): readonly Stretch[] => {
      const decision = decisions.get(id);
      const isDenied = decision?.behavior === 'deny';
      const ended = result && (isDenied ? 'denied' : result.isError ? 'failed' : 'done');
      const call: Stretch = { kind: 'call', label: tool, from: at, to: result?.at, outcome: ended };
      if (decision?.askedAt === undefined) return [call];
      const isOpen = decision.behavior === 'ask';
      const wait: Stretch = {
        kind: 'decision',
        label: tool,
        from: decision.askedAt,
        to: isOpen ? undefined : decision.at,
        outcome: isOpen ? undefined : isDenied ? 'denied' : 'done',
      };
      return [call, wait];
    },
  );
  return [...activities, ...calls].toSorted((a, b) => a.from - b.from);
}
