import { enqueueActions, type EventObject, type ParameterizedObject } from 'xstate';
import type { PermissionCancel, PermissionDecided, PermissionRequest } from '../../core/events.js';
import type { AgentId, RequestId } from '../../core/ids.js';
import { without } from '../records.js';

/** Permission requests that an actor has passed on and that are still open: request ID → local ID of the child. */
export type OpenRequests = Readonly<Record<string, string>>;

type Relaying = { readonly openRequests: OpenRequests };

/**
 * The handling of permission requests in every actor between a tool call and the desk. The actor passes requests on, as
 * the sender if there is a `from` and as an entry of the path if there is a `hop`. It passes a withdrawal on once. It
 * brings the decision to the child that asked. A late decision finds no open request and changes nothing.
 *
 * @param tell the machine's own action that passes a message on
 */
export function relayOf<Context extends Relaying, MachineEvent extends EventObject>({
  tell,
  from,
  hop,
  bring,
}: {
  readonly tell: 'tellParent' | 'tellDesk';
  /** The local ID by which the next actor answers this one; without it the request keeps its sender. */
  readonly from?: (context: Context) => string;
  readonly hop?: (context: Context) => string;
  /** The machine's own action that brings a decision to the tool call that asked, if that is not a child actor. */
  readonly bring?: (
    context: Context,
    to: string,
    decided: PermissionDecided,
  ) => ParameterizedObject;
}) {
  const handler = <Event extends Message>(
    plan: (context: Context, event: Event) => Plan | undefined,
  ) =>
    enqueueActions<Context, Event, undefined, MachineEvent, never, never, never>(
      ({ context, event, enqueue }) => {
        const planned = plan(context, event);
        if (planned === undefined) return;
        const { openRequests, passes, to } = planned;
        enqueue.assign(() => ({ openRequests }) as Partial<Context>); // every context here has them
        if (passes !== undefined) enqueue({ type: tell, params: passes } as never); // the machine names it
        if (to === undefined) return;
        if (bring === undefined) enqueue.sendTo(to, event);
        else enqueue(bring(context, to, event as PermissionDecided) as never); // only a decision has a receiver
      },
    );

  return {
    'permission.request': {
      actions: handler<PermissionRequest>((context, event) => {
        const actor = hop?.(context);
        const { at } = event;
        const own = actor === undefined ? [] : [{ actor, verdict: 'passed on' as const, at }];
        return {
          openRequests: { ...context.openRequests, [event.requestId]: event.from },
          passes: { ...event, from: from?.(context) ?? event.from, path: [...event.path, ...own] },
        };
      }),
    },
    'permission.cancel': {
      actions: handler<PermissionCancel>(({ openRequests }, event) =>
        event.requestId in openRequests
          ? { openRequests: without(openRequests, event.requestId), passes: event }
          : undefined,
      ),
    },
    'permission.decision': {
      actions: handler<PermissionDecided>(({ openRequests }, event) => {
        const to = openRequests[event.requestId];
        return to === undefined
          ? undefined
          : { openRequests: without(openRequests, event.requestId), to };
      }),
    },
  };
}

/**
 * The relay of an actor with its own tool calls. The actor is on their path, and brings them their decisions itself.
 */
export function relayOfCalls<
  Context extends Relaying & { readonly input: { readonly agentId: AgentId } },
  MachineEvent extends EventObject,
>() {
  return relayOf<Context, MachineEvent>({
    tell: 'tellParent',
    from: () => 'work',
    hop: ({ input }) => input.agentId,
    bring: ({ input: { agentId } }, id, decided) => ({
      type: 'answerCall',
      params: { agentId, id, decided },
    }),
  });
}

type Message = PermissionRequest | PermissionCancel | PermissionDecided;

type Plan = {
  readonly openRequests: OpenRequests;
  readonly passes?: PermissionRequest | PermissionCancel;
  readonly to?: string;
};

/** Return withdrawals for the open requests of a child that has ended, or of all children. */
export function withdrawalsOf(
  openRequests: OpenRequests,
  child?: string,
): readonly PermissionCancel[] {
  const requestIds = Object.keys(openRequests) as RequestId[]; // keys are request IDs
  return requestIds
    .filter((requestId) => child === undefined || openRequests[requestId] === child)
    .map((requestId) => ({ type: 'permission.cancel', requestId }));
}

/** The open requests without those of a child that has ended. */
export function requestsWithout(openRequests: OpenRequests, child: string): OpenRequests {
  return Object.fromEntries(Object.entries(openRequests).filter(([, from]) => from !== child));
}
