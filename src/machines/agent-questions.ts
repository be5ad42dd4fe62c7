import type { AgentContext } from './agent-types.js';
import type { CancelReason, ToolCallMessage, TurnEnd } from './tool-call.js';
import { startableCalls, withPhase, yieldableCalls, type ScheduledCall } from './tool-schedule.js';

/** What the agent's machine asks of its context: pure answers, so that the machine itself reads as a picture. */

export function isLive(phase: ScheduledCall['phase']): boolean {
  return phase === 'queued' || phase === 'started';
}

export function isYielded(context: AgentContext): boolean {
  return context.calls.every((call) => call.phase === 'yielded');
}

export function isQuiet(context: AgentContext): boolean {
  const { isPreparing, isSampling, isCompacting } = context;
  return !isPreparing && !isSampling && !isCompacting && isYielded(context);
}

type CallPlan = {
  /** What changes in the context. */
  readonly change: Pick<AgentContext, 'calls'> & Partial<AgentContext>;
  readonly cancelled: readonly string[];
  readonly reason: CancelReason;
  /** Their results may be handed on now, in this order. */
  readonly yielded: readonly string[];
  readonly started: readonly string[];
};

/** A new tool use: it starts, waits, or is cancelled at once because the turn is already over for it. */
export function planUse(
  context: AgentContext,
  call: Omit<ScheduledCall, 'phase'>,
): Omit<CallPlan, 'yielded'> {
  const calls = [...context.calls, { ...call, phase: 'queued' as const }];
  const reason = reasonNotToRun(context, call.isShell);
  const ids = reason === undefined ? startableCalls(calls) : [call.id];
  const change = { calls: withPhase(calls, ids, 'started') };
  return reason === undefined
    ? { change, cancelled: [], reason: 'killed', started: ids }
    : { change, cancelled: ids, reason, started: [] };
}

/** A call has its result: which results may be handed on, which calls are over with it, and which may start. */
export function planSettled(
  context: AgentContext,
  { id, isError, endsTurn, cancelled }: Extract<ToolCallMessage, { type: 'call.settled' }>,
): CallPlan {
  const settled = withPhase(context.calls, [id], 'settled');
  const yielded = yieldableCalls(settled);
  const handedOn = withPhase(settled, yielded, 'yielded');
  const call = context.calls.find((one) => one.id === id);
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
    change: {
      calls: withPhase(ending, started, 'started'),
      isShellBroken: context.isShellBroken || breaksShell,
      endsTurn: strongerEnd(context.endsTurn, endsTurn),
    },
    cancelled: over,
    reason: cancelsOthers(endsTurn) ? 'user_interrupted' : 'sibling_error',
    yielded,
    started,
  };
}

/** A block may still arrive when the turn is already over for it. */
function reasonNotToRun(context: AgentContext, isShell: boolean): CancelReason | undefined {
  if (context.stopping !== undefined)
    return context.stopping === 'interrupted' ? 'user_interrupted' : 'killed';
  if (cancelsOthers(context.endsTurn)) return 'user_interrupted';
  return isShell && context.isShellBroken ? 'sibling_error' : undefined;
}

function cancelsOthers(end: TurnEnd | undefined): boolean {
  return end === 'refused' || end === 'interrupted';
}

const ENDS: readonly (TurnEnd | undefined)[] = [undefined, 'answered', 'refused', 'interrupted'];

/** Of two calls that end their turn the one that leaves less of it counts. */
function strongerEnd(one: TurnEnd | undefined, other: TurnEnd | undefined): TurnEnd | undefined {
  return ENDS[Math.max(ENDS.indexOf(one), ENDS.indexOf(other))];
}
