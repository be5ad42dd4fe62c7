import type { AnyActorRef } from 'xstate';
import {
  newCall,
  stepCall,
  type CallDeed,
  type CallState,
  type ToolCall,
  type ToolCallEvent,
} from '../../../machines/agent/tool-call.js';
import { goOn, tell, watch } from '../parts/effects.js';
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

type Run = { call: ToolCall; since: number; live?: LiveCall };

export type CallEffects = Pick<
  ToolCalls,
  'validate' | 'decide' | 'applyAnswer' | 'execute' | 'abort' | 'recordCancelled' | 'takeDecision'
>;

/** The way in which effects start: after a transition of the agent, or at once. */
type Start = typeof watch;

export function createCallRuns(effects: CallEffects, now: () => number): CallRuns {
  const runs = new Map<string, Run>();

  const liveOf = (agent: AnyActorRef, id: string): LiveCall => ({
    send: (event) => step(agent, id, event, goOn),
    tell: (message) => tell(agent, message),
  });

  const perform = (
    agent: AnyActorRef,
    run: Run,
    { type, params }: CallDeed,
    start: Start,
  ): void => {
    const { id } = run.call.context;
    const live = (run.live ??= liveOf(agent, id));
    switch (type) {
      case 'validate':
        return start(agent, () => effects.validate(live, id));
      case 'decide':
        return start(agent, () => effects.decide(live, id));
      case 'applyAnswer':
        return start(agent, () => effects.applyAnswer(live, id, params));
      case 'execute':
        return start(agent, () => effects.execute(live, id));
      case 'recordCancelled':
        return start(agent, () => effects.recordCancelled(live, id, params.reason));
      case 'abort':
        return effects.abort(id, params.reason);
      case 'tellParent':
        return tell(agent, params);
      default:
        return type satisfies never;
    }
  };

  const step = (agent: AnyActorRef, id: string, event: ToolCallEvent, start: Start): void => {
    const run = runs.get(id);
    if (run === undefined || agent.getSnapshot().status !== 'active') return;
    if (event.type === 'permission.decision' && run.call.state === 'executing')
      return effects.takeDecision(id, event);
    const before = run.call.state;
    const { call, deeds } = stepCall(run.call, event);
    run.call = call;
    if (call.state !== before) run.since = now();
    for (const deed of deeds) perform(agent, run, deed, start);
  };

  return {
    add: (id) => void runs.set(id, { call: newCall({ id }), since: now() }),
    send: (agent, id, event) => step(agent, id, event, watch),
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
