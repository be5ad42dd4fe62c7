import type { PermissionDecision, PermissionDecisionReason } from '../../../core/decision-types.js';
import type { TurnEnd } from '../../../machines/agent/tool-call.js';
import type { Audit, Subject } from './audit.js';
import { emitFrom } from '../../services/event-bus.js';
import { approvalOf } from '../calls/approved-target.js';
import { extrasOf, type Call, type LiveCall, type Refuse } from '../calls/call.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import { denialOf, type WhyDenied } from './denial-of.js';
import type { Denials } from './denials.js';
import type { HearDenial } from './hear-denial.js';
import type { Judgement } from './use-judge.js';

/** Put the decision on a call into effect. */
export interface CallDecisions {
  /** @param decision the decision of the rules; absent if an earlier decision holds */
  allow(
    live: LiveCall,
    call: Call,
    judged: Pick<Judgement, 'facts' | 'rules'>,
    decision?: PermissionDecision,
  ): void;
  /** Send a denial to listeners and the model, and count it. */
  deny(live: LiveCall, call: Call, why: WhyDenied, endsTurn?: TurnEnd): Promise<void>;
  /** Deny a call that no rule denied; the audit has the reason. */
  overrule(
    live: LiveCall,
    call: Call,
    message: string,
    reason: PermissionDecisionReason,
    endsTurn?: TurnEnd,
  ): Promise<void>;
  /** Report that an allowed call must not begin. The runner settles its result. */
  withhold(call: Call, decision: Extract<PermissionDecision, { behavior: 'deny' }>): void;
}

export function createCallDecisions(
  caller: Subject & { readonly stepContext: AgentContext },
  audit: Pick<Audit, 'judged'>,
  refuse: Refuse,
  denials: Pick<Denials, 'denied' | 'allowed'>,
  hear: HearDenial,
): CallDecisions {
  const publish = (call: Call, why: WhyDenied): void => {
    const denial = denialOf(call, call.block.id, why, caller.permissionContext());
    emitFrom(caller.stepContext, { type: 'permission.denied', args: [denial] });
  };
  const deny: CallDecisions['deny'] = async (live, call, why, endsTurn) => {
    if (call.grace.isGivenUp()) return; // the call has another result
    publish(call, why);
    const advice = (await hear(call, why)) ?? '';
    await refuse(live, call.block.id, why.message + denials.denied(call.turn) + advice, endsTurn);
  };
  return {
    allow(live, call, { facts, rules }, decision) {
      denials.allowed();
      if (decision?.behavior === 'allow')
        call.extras = [...call.extras, ...extrasOf(decision, `The check of ${facts.toolName}`)];
      call.judged = { facts, rules };
      call.approved = approvalOf(facts, rules, decision);
      live.send({ type: 'call.allowed' });
    },
    deny,
    overrule(live, call, message, reason, endsTurn) {
      audit.judged(caller, call, { behavior: 'deny', message, decisionReason: reason });
      return deny(live, call, { message, reason }, endsTurn);
    },
    withhold(call, decision) {
      audit.judged(caller, call, decision);
      publish(call, { message: decision.message, reason: decision.decisionReason });
    },
  };
}
