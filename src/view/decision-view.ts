import type { AuditLine } from '../journal/readers/read-audit.js';

/** The decision on one tool call. Times are epoch ms. */
export type DecisionView = {
  readonly toolUseId: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** ID of the permission request, if the call needed one. */
  readonly requestId: string | undefined;
  /** The time of the permission request; undefined if there was none. */
  readonly askedAt: number | undefined;
  /** `ask`: a permission request waits. */
  readonly behavior: 'allow' | 'deny' | 'ask' | 'withdrawn';
  /** The approver; undefined if rules, a mode or a check decided. */
  readonly by: string | undefined;
  readonly reason: AuditLine['reason'];
  readonly at: number;
};

/** The decision after one line of `audit.jsonl`; undefined for a line that is no decision on a call. */
export function reduceDecision(
  known: DecisionView | undefined,
  entry: AuditLine,
): DecisionView | undefined {
  const { type, toolUseId, agentId, toolName, timestamp: at } = entry;
  if (toolUseId === undefined || agentId === undefined || toolName === undefined) return undefined;
  const behavior = behaviorOf(entry);
  if (behavior === undefined) return undefined;
  const { taskId = known?.taskId ?? '', input = known?.input ?? {}, by, reason } = entry;
  return {
    toolUseId,
    agentId,
    taskId,
    toolName,
    input,
    requestId: entry.requestId ?? known?.requestId,
    askedAt: behavior === 'ask' ? at : known?.askedAt,
    behavior,
    by: type === 'permission.answered' ? by : undefined,
    reason,
    at,
  };
}

function behaviorOf({ type, behavior }: AuditLine): DecisionView['behavior'] | undefined {
  if (type === 'permission.cancelled') return 'withdrawn';
  if (type !== 'permission.judged' && type !== 'permission.answered') return undefined;
  return behavior === 'allow' || behavior === 'deny' || behavior === 'ask' ? behavior : undefined;
}
