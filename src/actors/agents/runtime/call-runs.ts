import type { AnyActorRef } from 'xstate';
import {
  newCall,
  stepCall,
  type CallDeed,
  type CallState,
  type ToolCall,
  type ToolCallEvent,
} from '../../../machines/agent/tool-call.js';
import { tell, watch } from '../parts/effects.js';
import type { LiveCall } from '../calls/call.js';
import type { ToolCalls } from './tool-calls.js';

/**
 * The tool calls of one agent up to the delivery of their results: the state of each call, and its effects. A call
 * stops when its agent has ended.
 */
export interface CallRuns {
  /** Add a new tool call. It waits until it is started. */
  add(id: string): void;
  send(agent: AnyActorRef, id: string, event: ToolCallEvent): void;
  forget(id: string): void;
  /** The calls in the order in which they came. */
  list(): readonly CallView[];
}

export type CallView = {
  readonly id: string;
  readonly state: CallState;
  /** Start of the present state, in epoch milliseconds. */
  readonly since: number;
  readonly requestId: string | undefined;
};

type Run = { call: ToolCall; since: number };

export type CallEffects = Pick<
  ToolCalls,
  'validate' | 'decide' | 'applyAnswer' | 'execute' | 'abort' | 'recordCancelled' | 'takeDecision'
>;

export function createCallRuns(effects: CallEffects, now: () => number): CallRuns {
  const runs = new Map<string, Run>();

  const perform = (agent: AnyActorRef, id: string, { type, params }: CallDeed): void => {
    const call: LiveCall = {
      send: (event) => send(agent, id, event),
      tell: (message) => tell(agent, message),
    };
    switch (type) {
      case 'validate':
        return watch(agent, () => effects.validate(call, id));
      case 'decide':
        return watch(agent, () => effects.decide(call, id));
      case 'applyAnswer':
        return watch(agent, () => effects.applyAnswer(call, id, params));
      case 'execute':
        return watch(agent, () => effects.execute(call, id));
      case 'recordCancelled':
        return watch(agent, () => effects.recordCancelled(call, id, params.reason));
      case 'abort':
        return effects.abort(id, params.reason);
      case 'tellParent':
        return tell(agent, params);
      default:
        return type satisfies never;
    }
  };

  const send = (agent: AnyActorRef, id: string, event: ToolCallEvent): void => {
    const run = runs.get(id);
    if (run === undefined || agent.getSnapshot().status !== 'active') return;
    if (event.type === 'permission.decision' && run.call.state === 'executing')
      return effects.takeDecision(id, event);
    const before = run.call.state;
    const { call, deeds } = stepCall(run.call, event);
    run.call = call;
    if (call.state !== before) run.since = now();
    for (const deed of deeds) perform(agent, id, deed);
  };

  return {
    add: (id) => void runs.set(id, { call: newCall({ id }), since: now() }),
    send,
    forget: (id) => void runs.delete(id),
    list: () =>
      [...runs].map(([id, { call, since }]) => ({
        id,
        state: call.state,
        since,
        requestId: call.context.requestId,
      })),
  };
}
