import { messageOf } from '../../../core/errors.js';
import { createRequestId } from '../../../core/ids.js';
import { whenKnown } from '../../../core/time/when-known.js';
import type { Tool } from '../../../tools/tool.js';
import type { EventHooks } from '../../hooks/session-hooks.js';
import type { UseAdvice } from './advise-use.js';
import { createAskRequest } from './ask-request.js';
import type { CallDecisions } from './call-decisions.js';
import { other } from './denial-of.js';
import type { CallTable } from '../calls/call-table.js';
import type { Call, LiveCall, Refuse } from '../calls/call.js';
import type { Caller } from '../parts/caller.js';
import type { EffectEnd } from '../parts/effects.js';
import type { PermissionServices } from './permission-services.js';
import type { RememberedAnswer, ToolDecisions } from './tool-decisions.js';
import type { Judged, UseJudge } from './use-judge.js';

export type DecideOwners = {
  readonly caller: Caller;
  readonly services: PermissionServices;
  readonly table: Pick<CallTable, 'contextOf'> & { readonly refuse: Refuse };
  readonly judge: UseJudge;
  readonly answers: Pick<ToolDecisions, 'recall' | 'underWay' | 'open'>;
  readonly decisions: CallDecisions;
};

/**
 * Decide on one call, after changed settings were taken up: first hooks, then rules, then earlier decisions. An open
 * call becomes a permission request. An error refuses the call.
 */
export function decideCall(owners: DecideOwners, live: LiveCall, call: Call): EffectEnd {
  const { services, table } = owners;
  const { id, name } = call.block;
  const refuse = (error: unknown): Promise<void> =>
    table.refuse(live, id, `${name}: ${messageOf(error)}`);
  try {
    const caughtUp = services.catchUp?.();
    const decided =
      caughtUp === undefined
        ? decideNow(owners, live, call)
        : caughtUp.then(() => decideNow(owners, live, call));
    return decided?.catch(refuse);
  } catch (error) {
    return refuse(error);
  }
}

function decideNow(owners: DecideOwners, live: LiveCall, call: Call): EffectEnd {
  const { hooks } = owners.services;
  return hooks?.hasAny('PreToolUse') === true
    ? decideWithHooks(owners, live, call, hooks)
    : decideByRules(owners, live, call);
}

async function decideWithHooks(
  owners: DecideOwners,
  live: LiveCall,
  call: Call,
  hooks: EventHooks,
): Promise<void> {
  const { caller, services, table } = owners;
  const context = table.contextOf(call);
  const { adviseUse } = await import('./advise-use.js');
  const advice = await adviseUse(caller, services, hooks, call, context, async (deferral) => {
    const { deferCall } = await import('./defer-call.js');
    return deferCall(caller, services, live, call, deferral);
  });
  if (advice.status === 'deferred') return undefined; // its agent ends
  if (advice.status !== 'continue') return stop(owners, live, call, advice);
  call.proposal = advice.proposal;
  return decideByRules(owners, live, call);
}

function decideByRules(owners: DecideOwners, live: LiveCall, call: Call): EffectEnd {
  const ended = whenKnown(judgeAlone(owners, call), (judged): EffectEnd => {
    if (call.grace.isGivenUp()) return undefined;
    const { rewritten, known } = judged;
    if (rewritten !== undefined) {
      call.input = rewritten.input;
      call.shownInput = rewritten.shown;
    }
    return known === undefined
      ? applyJudgement(owners, live, call, judged)
      : repeatAnswer(owners, live, call, judged, known);
  });
  return ended instanceof Promise ? ended.then(() => undefined) : undefined;
}

/** A hook ends the call. */
function stop(
  { caller, services, table, decisions }: DecideOwners,
  live: LiveCall,
  call: Call,
  advice: Extract<UseAdvice, { message: string }>,
): Promise<void> {
  const { message } = advice;
  if (advice.status === 'stop')
    return decisions.overrule(live, call, message, other(message), 'refused');
  const decision = { behavior: 'deny', message, decisionReason: advice.reason } as const;
  services.audit.judged(caller, call, decision);
  return table.refuse(live, call.block.id, message);
}

/** Judge when no request for the same tool call is open: a decision there applies here too. */
function judgeAlone(owners: DecideOwners, call: Call): JudgedAlone | Promise<JudgedAlone> {
  const { table, judge, answers } = owners;
  const { tool, input, controller, proposal } = call;
  const use = { tool: tool as Tool, input, context: table.contextOf(call) }; // validated
  return whenKnown(judge.judgeWithRewrite(use, proposal), (judged) => {
    const { facts, decision } = judged;
    if (decision.behavior !== 'ask') return judged;
    const known = answers.recall(facts, decision.decisionReason);
    if (known !== undefined) return { ...judged, known };
    const same = answers.underWay(facts, controller.signal);
    return same === undefined ? judged : same.then(() => judgeAlone(owners, call));
  });
}

type JudgedAlone = Judged & { readonly known?: RememberedAnswer };

/** @returns the denial, if it is one */
function repeatAnswer(
  { caller, services, decisions }: DecideOwners,
  live: LiveCall,
  call: Call,
  judged: Judged,
  known: RememberedAnswer,
): Promise<void> | undefined {
  const reason = other('the same use was answered before in this turn');
  services.audit.judged(caller, call, { ...known, decisionReason: reason });
  if (known.behavior === 'deny')
    return decisions.deny(live, call, { message: known.message, reason });
  decisions.allow(live, call, judged);
  return undefined;
}

/**
 * Request approval for an allowed call too if the program wants to see every call.
 *
 * @returns the denial, if it is one
 */
function applyJudgement(
  { caller, services, answers, decisions }: DecideOwners,
  live: LiveCall,
  call: Call,
  judged: Judged,
): Promise<void> | undefined {
  const { facts, decision } = judged;
  const isAsk = decision.behavior === 'ask';
  const isAsked = isAsk || (services.settings.requireCanUseTool && decision.behavior === 'allow');
  const requestId = isAsked ? createRequestId() : undefined;
  services.audit.judged(caller, call, decision, requestId);
  if (decision.behavior === 'deny') {
    const { message, decisionReason: reason } = decision;
    return decisions.deny(live, call, { message, reason, facts });
  }
  if (requestId === undefined) {
    decisions.allow(live, call, judged, decision);
    return undefined;
  }
  call.request = createAskRequest(requestId, call, { facts, decision }, caller, services);
  if (isAsk && call.request.kind === 'permission') call.closeAsk = answers.open(facts);
  live.send({ type: 'call.ask', request: call.request });
  return undefined;
}
