import type { PermissionCancel, PermissionDecided, PermissionRequest } from '../../core/events.js';
import type { RequestId } from '../../core/ids.js';

/** Why a call has a synthetic result instead of its own. */
export type CancelReason = 'sibling_error' | 'user_interrupted' | 'killed';

/** Ways in which a call ends its turn, so that no further request follows. */
export type TurnEnd =
  /** The call gave the structured answer: the other calls of the reply still run. */
  | 'answered'
  /** A person denied the call without a message: the other calls are cancelled. */
  | 'refused'
  /** The same, and the turn ends like an interrupted one. */
  | 'interrupted';

export type ToolCallInput = { readonly id: string };

export type ToolCallEvent =
  | { type: 'call.start' }
  | { type: 'call.cancel'; reason: CancelReason }
  | { type: 'call.validated' }
  | { type: 'call.allowed' }
  /** The call ends without having run: invalid input, a denial, or a result that is already in the journal. */
  | { type: 'call.refused'; isError: boolean; endsTurn: TurnEnd | undefined }
  | { type: 'call.ask'; request: PermissionRequest }
  | { type: 'call.executed'; isError: boolean; endsTurn?: TurnEnd | undefined }
  | { type: 'call.recorded' }
  | PermissionDecided;

export type CallEnd = { readonly isError: boolean; readonly endsTurn: TurnEnd | undefined };

/** Messages to the agent. The results themselves stay with the effects. */
export type ToolCallMessage =
  | {
      readonly type: 'call.settled';
      readonly id: string;
      readonly isError: boolean;
      readonly endsTurn: TurnEnd | undefined;
      readonly cancelled: CancelReason | undefined;
    }
  | PermissionRequest
  | PermissionCancel;

export type ToolCallContext = ToolCallInput & {
  readonly requestId: RequestId | undefined;
  readonly cancelled: CancelReason | undefined;
  readonly isError: boolean;
  readonly endsTurn: TurnEnd | undefined;
};

/** Effects of a transition. Each effect except `abort` and `tellParent` ends with an event. */
export type CallDeed =
  /** Parses and checks the input; sends `call.validated` or `call.refused`. */
  | { readonly type: 'validate'; readonly params: { readonly id: string } }
  /** Gathers facts and decides; sends `call.allowed`, `call.refused` or `call.ask`. */
  | { readonly type: 'decide'; readonly params: { readonly id: string } }
  /** Decides again with the approver's decision; sends `call.allowed` or `call.refused`. */
  | { readonly type: 'applyAnswer'; readonly params: PermissionDecided }
  /** Runs the tool; sends `call.executed`, also after an abort. */
  | { readonly type: 'execute'; readonly params: { readonly id: string } }
  /** Makes the synthetic result of a cancelled call; sends `call.recorded`. */
  | { readonly type: 'recordCancelled'; readonly params: Cancelling }
  | { readonly type: 'abort'; readonly params: Cancelling }
  | { readonly type: 'tellParent'; readonly params: ToolCallMessage };

type Cancelling = { readonly id: string; readonly reason: CancelReason };

export type CallState =
  | 'queued'
  | 'validating'
  | 'deciding.gathering'
  /** An approver decides; no effect runs. */
  | 'deciding.asking'
  | 'deciding.applying'
  | 'executing'
  | 'cancelled'
  | 'completed';

/** A tool call at one moment. */
export type ToolCall = { readonly state: CallState; readonly context: ToolCallContext };

type CallStep = { readonly call: ToolCall; readonly deeds: readonly CallDeed[] };

export function newCall({ id }: ToolCallInput): ToolCall {
  return {
    state: 'queued',
    context: {
      id,
      requestId: undefined,
      cancelled: undefined,
      isError: false,
      endsTurn: undefined,
    },
  };
}

/**
 * Return the next state of a tool call and the effects of the transition. A call goes from queued over validating,
 * deciding and executing to completed, or is cancelled with a reason. It settles once, with one result. Unknown events
 * change nothing. `tool-call-statechart.ts` is the same as a statechart.
 */
export function stepCall(call: ToolCall, event: ToolCallEvent): CallStep {
  const { state, context } = call;
  const { id, cancelled } = context;
  switch (state) {
    case 'queued':
      if (event.type === 'call.start')
        return to('validating', context, { type: 'validate', params: { id } });
      if (event.type === 'call.cancel') return cancelAs(context, event.reason);
      return stay(call);
    case 'validating':
      if (event.type === 'call.validated')
        return cancelled === undefined
          ? to('deciding.gathering', context, { type: 'decide', params: { id } })
          : cancelAs(context, cancelled);
      return refusedOrStopped(call, event);
    case 'deciding.gathering':
      if (event.type === 'call.ask') {
        const { request } = event;
        return cancelled === undefined
          ? to('deciding.asking', { ...context, requestId: request.requestId }, tell(request))
          : cancelAs(context, cancelled);
      }
      return allowed(call, event);
    case 'deciding.asking':
      return answered(call, event);
    case 'deciding.applying':
      return allowed(call, event);
    case 'executing':
      if (event.type === 'call.executed') return settle(context, event);
      return event.type === 'call.cancel' ? stop(call, event.reason) : stay(call);
    case 'cancelled':
      return event.type === 'call.recorded' ? settle(context, { isError: true }) : stay(call);
    case 'completed':
      return stay(call);
    default:
      return state satisfies never;
  }
}

function allowed(call: ToolCall, event: ToolCallEvent): CallStep {
  const { context } = call;
  const { id, cancelled } = context;
  if (event.type !== 'call.allowed') return refusedOrStopped(call, event);
  return cancelled === undefined
    ? to('executing', context, { type: 'execute', params: { id } })
    : cancelAs(context, cancelled);
}

/** Every other event is ignored, or the permission request would stay open. */
function answered(call: ToolCall, event: ToolCallEvent): CallStep {
  const { context } = call;
  const { requestId } = context;
  if (event.type === 'permission.decision' && event.requestId === requestId)
    return to('deciding.applying', context, { type: 'applyAnswer', params: event });
  if (event.type !== 'call.cancel' || requestId === undefined) return stay(call);
  const withdrawal = tell({ type: 'permission.cancel', requestId });
  const { call: next, deeds } = cancelAs(context, event.reason);
  return { call: next, deeds: [withdrawal, ...deeds] };
}

function refusedOrStopped(call: ToolCall, event: ToolCallEvent): CallStep {
  if (event.type === 'call.refused') return settle(call.context, event);
  return event.type === 'call.cancel' ? stop(call, event.reason) : stay(call);
}

/** Abort the running effect, and wait for its end. */
function stop({ state, context }: ToolCall, reason: CancelReason): CallStep {
  const { id, cancelled = reason } = context;
  return to(state, { ...context, cancelled }, { type: 'abort', params: { id, reason } });
}

/** The call never ran; its result says why. */
function cancelAs(context: ToolCallContext, because: CancelReason): CallStep {
  const { id, cancelled: reason = because } = context;
  const deed = { type: 'recordCancelled', params: { id, reason } } as const;
  return to('cancelled', { ...context, cancelled: reason }, deed);
}

function settle(context: ToolCallContext, end: Partial<CallEnd> & { readonly isError: boolean }) {
  const { isError, endsTurn } = end;
  const { id, cancelled } = context;
  const message = tell({ type: 'call.settled', id, isError, endsTurn, cancelled });
  return to('completed', { ...context, isError, endsTurn }, message);
}

function to(state: CallState, context: ToolCallContext, deed: CallDeed): CallStep {
  return { call: { state, context }, deeds: [deed] };
}

function stay(call: ToolCall): CallStep {
  return { call, deeds: [] };
}

function tell(params: ToolCallMessage): CallDeed {
  return { type: 'tellParent', params };
}
