import type { PermissionCancel, PermissionDecided, PermissionRequest } from '../../core/events.js';
import type { RequestId } from '../../core/ids.js';

/** Why a call has a synthetic result instead of its own. */
export type CancelReason = 'sibling_error' | 'user_interrupted' | 'killed';

/** A call with which its turn is over: no further request is made in it. */
export type TurnEnd =
  /** It gave the answer that was asked for: the other calls of the reply still run. */
  | 'answered'
  /** A person refused without a word: the other calls are cancelled. */
  | 'refused'
  /** The same, and the turn ends like one that a client interrupts. */
  | 'interrupted';

export type ToolCallInput = { readonly id: string };

export type ToolCallEvent =
  | { type: 'call.start' }
  | { type: 'call.cancel'; reason: CancelReason }
  | { type: 'call.validated' }
  | { type: 'call.allowed' }
  /** It ends without having run: bad input, a denial, a result that the journal already holds. */
  | { type: 'call.refused'; isError: boolean; endsTurn: TurnEnd | undefined }
  | { type: 'call.ask'; request: PermissionRequest }
  | { type: 'call.executed'; isError: boolean; endsTurn?: TurnEnd | undefined }
  | { type: 'call.recorded' }
  | PermissionDecided;

export type CallEnd = { readonly isError: boolean; readonly endsTurn: TurnEnd | undefined };

/** What the agent hears; results themselves stay with the effects. */
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

/** What a step asks for. Each effect but `abort` and `tellParent` ends with an event of its own. */
export type CallDeed =
  /** Parses and checks the input; sends `call.validated` or `call.refused`. */
  | { readonly type: 'validate'; readonly params: { readonly id: string } }
  /** Gathers facts and decides; sends `call.allowed`, `call.refused` or `call.ask`. */
  | { readonly type: 'decide'; readonly params: { readonly id: string } }
  /** Judges once more with the answer in hand; sends `call.allowed` or `call.refused`. */
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
  /** A person, a callback or a policy is asked; nothing else is under way. */
  | 'deciding.asking'
  | 'deciding.applying'
  | 'executing'
  | 'cancelled'
  | 'completed';

/** One tool call at one moment. */
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
 * The next moment of a tool call, and what is to be done on the way. A call goes from queued over validating, deciding and
 * executing to completed, or is cancelled with a reason; it settles once, with one result. An event that its state does
 * not know changes nothing. `tool-call-statechart.ts` is the same as a picture.
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

/** Only the answer decides now, or the request would stay open. */
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

/** What is under way is told to stop and waited for. */
function stop({ state, context }: ToolCall, reason: CancelReason): CallStep {
  const { id, cancelled = reason } = context;
  return to(state, { ...context, cancelled }, { type: 'abort', params: { id, reason } });
}

/** It never ran; its result says why. */
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
