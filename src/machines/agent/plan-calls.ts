import type { AgentContext, Batch } from './agent-types.js';
import type { CancelReason, ToolCallMessage, TurnEnd } from './tool-call.js';
import { startableCalls, withPhase, yieldableCalls, type ScheduledCall } from './tool-schedule.js';

/** Pure questions of the agent's machine about its context, so that the machine itself reads as a picture. */

export function isLive(phase: ScheduledCall['phase']): boolean {
  return phase === 'queued' || phase === 'started';
}

export function isYielded({ calls }: Batch): boolean {
  return calls.every((call) => call.phase === 'yielded');
}

export function isQuiet({ effect, batch }: AgentContext): boolean {
  return effect === undefined && isYielded(batch);
}

type CallPlan = {
  readonly batch: Batch;
  readonly cancelled: readonly string[];
  readonly reason: CancelReason;
  /** Calls whose results are ready to be published, in this order. */
  readonly yielded: readonly string[];
  readonly started: readonly string[];
};

/** Plan a new tool call: it starts, waits, or is cancelled at once because the turn is already over for it. */
export function planUse(
  context: AgentContext,
  call: Omit<ScheduledCall, 'phase'>,
): Omit<CallPlan, 'yielded'> {
  const calls = [...context.batch.calls, { ...call, phase: 'queued' as const }];
  const reason = reasonNotToRun(context, call.isShell);
  const ids = reason === undefined ? startableCalls(calls) : [call.id];
  const batch = { ...context.batch, calls: withPhase(calls, ids, 'started') };
  return reason === undefined
    ? { batch, cancelled: [], reason: 'killed', started: ids }
    : { batch, cancelled: ids, reason, started: [] };
}

/**
 * Plan after a call got its result: which results are ready to be published, which calls are cancelled, and which may
 * start.
 */
export function planSettled(
  { batch }: AgentContext,
  { id, isError, endsTurn, cancelled }: Extract<ToolCallMessage, { type: 'call.settled' }>,
): CallPlan {
  const settled = withPhase(batch.calls, [id], 'settled');
  const yielded = yieldableCalls(settled);
  const handedOn = withPhase(settled, yielded, 'yielded');
  const call = batch.calls.find((one) => one.id === id);
  const breaksShell = call?.isShell === true && isError && cancelled === undefined;
  const over = handedOn
    .filter(
      ({ isShell, phase }) =>
        isLive(phase) && (cancelsOthers(endsTurn) || (breaksShell && isShell)),
    )
    .map((one) => one.id);
  const ending = withPhase(handedOn, over, 'started');
  const started = startableCalls(ending);
  return {
    batch: {
      calls: withPhase(ending, started, 'started'),
      isShellBroken: batch.isShellBroken || breaksShell,
      endsTurn: strongerEnd(batch.endsTurn, endsTurn),
    },
    cancelled: over,
    reason: cancelsOthers(endsTurn) ? 'user_interrupted' : 'sibling_error',
    yielded,
    started,
  };
}

/** A block may still arrive when the turn is already over for it. */
function reasonNotToRun(
  { stopping, batch }: AgentContext,
  isShell: boolean,
): CancelReason | undefined {
  if (stopping !== undefined) return stopping === 'interrupted' ? 'user_interrupted' : 'killed';
  if (cancelsOthers(batch.endsTurn)) return 'user_interrupted';
  return isShell && batch.isShellBroken ? 'sibling_error' : undefined;
}

function cancelsOthers(end: TurnEnd | undefined): boolean {
  return end === 'refused' || end === 'interrupted';
}

const ENDS: readonly (TurnEnd | undefined)[] = [undefined, 'answered', 'refused', 'interrupted'];

/** If two calls end their turn, the one that allows less counts. */
function strongerEnd(one: TurnEnd | undefined, other: TurnEnd | undefined): TurnEnd | undefined {
  return ENDS[Math.max(ENDS.indexOf(one), ENDS.indexOf(other))];
}
