import { messageOf } from '../../../core/errors.js';
import { createRequestId } from '../../../core/ids.js';
import type { Proposal } from '../../../permissions/proposal.js';
import type { Tool } from '../../../tools/tool.js';
import { adviseUse, type UseAdvice } from './advise-use.js';
import { createAskRequest } from './ask-request.js';
import type { CallDecisions } from './call-decisions.js';
import { other } from './denial-of.js';
import type { CallTable } from '../calls/call-table.js';
import type { Call, LiveCall, Refuse } from '../calls/call.js';
import type { Caller } from '../parts/caller.js';
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
 * Decide on one call, after changed settings were taken up: first hooks, then rules, then earlier decisions. An open call becomes a permission request. An
 * error refuses the call.
 */
export async function decideCall(owners: DecideOwners, live: LiveCall, call: Call): Promise<void> {
  const { caller, services, table } = owners;
  const { block, patience } = call;
  try {
    const caughtUp = services.catchUp?.();
    if (caughtUp !== undefined) await caughtUp;
    if (services.hooks?.hasAny('PreToolUse') === true) {
      const context = table.contextOf(call);
      const advice = await adviseUse(caller, services, services.hooks, call, context);
      if (advice.status !== 'continue') return await stop(owners, live, call, advice);
      call.proposal = advice.proposal;
    }
    const judged = await judgeAlone(owners, call, call.proposal);
    if (patience.isGivenUp()) return;
    const { rewritten, known } = judged;
    if (rewritten !== undefined) {
      call.input = rewritten.input;
      call.shownInput = rewritten.shown;
    }
    const denial =
      known === undefined
        ? applyJudgement(owners, live, call, judged)
        : repeatAnswer(owners, live, call, judged, known);
    if (denial !== undefined) await denial;
  } catch (error) {
    await table.refuse(live, block.id, `${block.name}: ${messageOf(error)}`);
  }
}

/** A hook ends the call. */
function stop(
  { caller, services, table, decisions }: DecideOwners,
  live: LiveCall,
  call: Call,
  advice: Exclude<UseAdvice, { status: 'continue' }>,
): Promise<void> {
  const { message } = advice;
  if (advice.status === 'stop')
    return decisions.overrule(live, call, message, other(message), 'refused');
  const decision = { behavior: 'deny', message, decisionReason: advice.reason } as const;
  services.audit.judged(caller, call, decision);
  return table.refuse(live, call.block.id, message);
}

/** Judge when no request for the same tool call is open: a decision there applies here too. */
async function judgeAlone(
  { table, judge, answers }: DecideOwners,
  call: Call,
  proposal: Proposal | undefined,
): Promise<Judged & { readonly known: RememberedAnswer | undefined }> {
  const { input, controller } = call;
  const use = { tool: call.tool as Tool, input, context: table.contextOf(call) }; // validated
  for (;;) {
    const judged = await judge.judgeWithRewrite(use, proposal);
    const { facts, decision } = judged;
    const isAsk = decision.behavior === 'ask';
    const known = isAsk ? answers.recall(facts, decision.decisionReason) : undefined;
    const same =
      isAsk && known === undefined ? answers.underWay(facts, controller.signal) : undefined;
    if (same === undefined) return { ...judged, known };
    await same;
  }
}

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
