import { createRequestId } from '../../../core/ids.js';
import type { Proposal } from '../../../permissions/proposal.js';
import type { Tool } from '../../../tools/tool.js';
import { adviseUse } from './advise-use.js';
import { createAskRequest } from './ask-request.js';
import type { CallDecisions } from './call-decisions.js';
import { other } from './denial-of.js';
import type { CallTable } from '../calls/call-table.js';
import type { Call, LiveCall, Refuse } from '../calls/call.js';
import type { Caller } from '../calls/caller.js';
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

/** Decide on one call: hooks come first, then rules, then what was answered before. What they leave open is asked. */
export async function decideCall(owners: DecideOwners, live: LiveCall, call: Call): Promise<void> {
  const { caller, services, table, decisions } = owners;
  const advice = await adviseUse(caller, services, call, table.contextOf(call));
  if (advice.status === 'bad input') {
    const { message, reason } = advice;
    services.audit.judged(caller, call, { behavior: 'deny', message, decisionReason: reason });
    return table.refuse(live, call.block.id, message);
  }
  if (advice.status === 'stop')
    return decisions.overrule(live, call, advice.message, other(advice.message), 'refused');
  const judged = await judgeAlone(owners, call, advice.proposal);
  if (call.patience.isGivenUp()) return;
  const { rewritten, known } = judged;
  if (rewritten !== undefined) {
    call.input = rewritten.input;
    call.shownInput = rewritten.shown;
  }
  if (known !== undefined) return repeatAnswer(owners, live, call, judged, known);
  return applyJudgement(owners, live, call, judged);
}

/** Judge when no request for the same use is open: what is answered there holds here too. */
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

/** What the rules allow is asked all the same if the program wants to see every call. */
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
