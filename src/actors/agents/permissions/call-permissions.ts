import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../../core/errors.js';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import { createRequestId } from '../../../core/ids.js';
import type { PermissionDecision, PermissionDecisionReason } from '../../../core/decision-types.js';
import type { TurnEnd } from '../../../machines/agent/tool-call.js';
import { decide } from '../../../permissions/decide.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import { isOpenToLeave, type Proposal } from '../../../permissions/proposal.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import { ToolNotFoundError } from '../../../tools/calls/tool-not-found-error.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { emitFrom } from '../../services/event-bus.js';
import { gatherFacts } from '../../facts/gather-facts.js';
import { adviseUse } from './advise-use.js';
import type { Caller } from '../calls/caller.js';
import { createAskRequest } from './ask-request.js';
import { approvalOf, touchesTheSame } from './approved-target.js';
import { extrasOf, namesOf, type Call, type CallTable, type LiveCall } from '../calls/call.js';
import { denialOf, other, type WhyDenied } from './denial-of.js';
import { createDenials, type Denials } from './denials.js';
import { readEditedInput } from '../calls/edited-input.js';
import { judgeInput, type Judgement } from './judge-input.js';
import { answererOf, denialText, isAutomatic, isSystem } from '../calls/synthetic-results.js';
import type { PermissionServices } from './permission-services.js';
import { createToolDecisions, type RememberedAnswer } from './tool-decisions.js';

/** Whether a tool use may run: asked of the rules, then, where they leave it open, of whoever answers. */
export interface CallPermissions {
  decide(live: LiveCall, id: string): Promise<void>;
  applyAnswer(live: LiveCall, id: string, decided: PermissionDecided): Promise<void>;
  /** A call was cancelled: its ask, where it has one, is over. */
  withdraw(call: Call): void;
  /** For a tool that uses another: the same rules, nobody is asked. */
  judgeUse(
    toolName: string,
    input: Readonly<Record<string, unknown>>,
    context: ToolUseContext,
  ): Promise<PermissionDecision>;
  /**
   * Why a use that was allowed must not begin: rules or mode have changed since. Nothing where it may. At once, unless
   * the tool has to be asked about the new rules: then ask once more, for they may have changed again meanwhile.
   */
  recheck(id: string): string | undefined | Promise<string | undefined>;
  /** A person has said something new: earlier answers are no longer of this turn. */
  beginPrompt(): void;
  readonly denials: Pick<Denials, 'failure'>;
}

export function createCallPermissions(
  caller: Caller,
  services: PermissionServices,
  table: CallTable,
): CallPermissions {
  const { audit, bashGrammar, settings } = services;
  const denials = createDenials();
  const decisions = createToolDecisions();

  const deny = async (
    live: LiveCall,
    id: string,
    why: WhyDenied,
    endsTurn?: TurnEnd,
  ): Promise<void> => {
    const call = table.get(id);
    const denial = denialOf(call, id, why, caller.permissionContext());
    emitFrom(caller.door, { type: 'permission.denied', args: [denial] });
    await table.refuse(live, id, why.message + denials.denied(call.turn), endsTurn);
  };

  /** Somebody has allowed it, and it must not run all the same. */
  const lapse = (
    live: LiveCall,
    id: string,
    message: string,
    reason: PermissionDecisionReason,
  ): Promise<void> => {
    audit.judged(caller, table.get(id), { behavior: 'deny', message, decisionReason: reason });
    return deny(live, id, { message, reason });
  };

  const allow = (
    live: LiveCall,
    call: Call,
    { facts, rules }: Pick<Judgement, 'facts' | 'rules'>,
    decision?: PermissionDecision,
  ): void => {
    denials.allowed();
    if (decision?.behavior === 'allow')
      call.extras = [...call.extras, ...extrasOf(decision, `The check of ${facts.toolName}`)];
    call.judged = { facts, rules };
    call.approved = approvalOf(facts, rules, decision);
    live.send({ type: 'call.allowed' });
  };

  const judge = async (
    tool: Tool,
    input: Call['input'],
    context: ToolUseContext,
    proposal?: Proposal,
  ): Promise<Judgement> => {
    const before = caller.permissionContext();
    const facts = await gatherFacts(tool, input, context, bashGrammar, { rules: before });
    const rules = caller.permissionContext();
    const isNew = tool.preparePermissionMatcher !== undefined && rules !== before;
    if (isNew) return judge(tool, input, context, proposal); // rules of which its matcher knows nothing
    return { facts, rules, decision: decide(facts, rules, proposal) };
  };

  /** The verdict on a use when no ask for the same one stands open: what is answered there holds here too. */
  const judgeAlone = async (id: string, call: Call, proposal?: Proposal) => {
    const { signal } = call.controller;
    const tool = call.tool as Tool; // validated
    const context = table.contextOf(id);
    for (;;) {
      const judged = await judgeInput(tool, call.input, context, (input) =>
        judge(tool, input, context, proposal),
      );
      const { facts, decision } = judged;
      const isAsk = decision.behavior === 'ask';
      const known = isAsk ? recall(facts, decision) : undefined;
      const same = isAsk && known === undefined ? decisions.underWay(facts, signal) : undefined;
      if (same === undefined) return { ...judged, known };
      await same;
    }
  };

  /** What was answered to the same use before. Leave does not hold where a rule or a check asks each time. */
  const recall = (facts: ToolFacts, decision: PermissionDecision): RememberedAnswer | undefined => {
    const answer = decisions.find(facts);
    const isLeave = answer?.behavior === 'allow';
    return isLeave && !isOpenToLeave(decision.decisionReason, facts) ? undefined : answer;
  };

  return {
    async decide(live, id) {
      const call = table.get(id);
      try {
        const advice = await adviseUse(caller, services, call, table.contextOf(id));
        if (advice.status === 'bad input') {
          const { message, reason } = advice;
          audit.judged(caller, call, { behavior: 'deny', message, decisionReason: reason });
          return await table.refuse(live, id, message);
        }
        if (advice.status === 'stop') {
          const { message } = advice;
          const reason = other(message);
          audit.judged(caller, call, { behavior: 'deny', message, decisionReason: reason });
          return await deny(live, id, { message, reason }, 'refused');
        }
        const judged = await judgeAlone(id, call, advice.proposal);
        const { facts, decision, rewritten, known } = judged;
        if (call.patience.isGivenUp()) return;
        if (rewritten !== undefined) {
          call.input = rewritten.input;
          call.shownInput = rewritten.shown;
        }
        if (known !== undefined) {
          const reason = other('the same use was answered before in this turn');
          audit.judged(caller, call, { ...known, decisionReason: reason });
          if (known.behavior === 'allow') return allow(live, call, judged);
          return await deny(live, id, { message: known.message, reason });
        }
        const isAsked =
          decision.behavior === 'ask' ||
          (settings.requireCanUseTool && decision.behavior === 'allow');
        const requestId = isAsked ? createRequestId() : undefined;
        audit.judged(caller, call, decision, requestId);
        if (decision.behavior === 'deny')
          return await deny(live, id, {
            message: decision.message,
            reason: decision.decisionReason,
            facts,
          });
        if (requestId === undefined) return allow(live, call, judged, decision);
        call.request = createAskRequest(requestId, call, { facts, decision }, caller, services);
        if (decision.behavior === 'ask' && call.request.kind === 'permission')
          call.closeAsk = decisions.open(facts);
        live.send({ type: 'call.ask', request: call.request });
      } catch (error) {
        await table.refuse(live, id, `${call.block.name}: ${messageOf(error)}`);
      }
    },

    async applyAnswer(live, id, decided) {
      const call = table.get(id);
      const { answer } = decided;
      const request = call.request as PermissionRequest; // it asked
      call.request = undefined; // it is answered
      audit.answered(caller, request, decided);
      try {
        if (answer.behavior === 'deny') {
          const isPerson = !isSystem(decided);
          const isPlain = isPerson && answer.message === undefined && caller.depth === 0;
          const endsTurn =
            answer.interrupt === true ? 'interrupted' : isPlain ? 'refused' : undefined;
          const message = denialText(request, answer.message, decided, caller.depth > 0);
          if (isPerson && request.kind === 'permission')
            decisions.keep(request.facts as ToolFacts, answer, message); // gathered by this agent
          const reason = audit.reasonOf(decided);
          const facts = request.kind === 'permission' ? (request.facts as ToolFacts) : undefined; // gathered by this agent
          return await deny(live, id, { message, reason, isPerson, facts }, endsTurn);
        }
        const tool = call.tool as Tool; // validated
        const context = table.contextOf(id);
        let isEdited = false;
        if (answer.updatedInput !== undefined) {
          const edited = await readEditedInput(tool, answer.updatedInput, context, {
            isAnswer: request.kind !== 'permission',
          });
          if (!edited.ok) {
            const message = `The edited input was refused. ${edited.message}`;
            const denied = { behavior: 'deny', message, decisionReason: other(message) } as const;
            audit.judged(caller, call, denied);
            return await table.refuse(live, id, message);
          }
          isEdited = !isDeepStrictEqual(edited.input, call.input);
          call.input = edited.input;
          if (isEdited) call.shownInput = edited.shown;
        }
        const { reason: why, by } = decided;
        const proposal = isAutomatic(why) ? { behavior: 'allow' as const, reason: why } : undefined;
        const judged = await judge(tool, call.input, context, proposal);
        const { facts, decision } = judged;
        if (call.patience.isGivenUp()) return;
        if (decision.behavior === 'deny')
          return await lapse(live, id, decision.message, decision.decisionReason);
        if (proposal !== undefined && decision.behavior === 'ask') {
          const message = `Permission lapsed: ${by} allowed it, and only a person can. ${decision.message} Try again.`;
          return await lapse(live, id, message, decision.decisionReason ?? other(message));
        }
        if (!isEdited && !touchesTheSame(request.facts as ToolFacts, facts)) {
          const message = `Permission lapsed: what ${call.block.name} would touch changed while the question stood open. Try again.`;
          const safety = { type: 'safetyCheck', reason: message, classifierApprovable: false };
          return await lapse(live, id, message, safety as PermissionDecisionReason);
        }
        if (!isSystem(decided) && request.kind === 'permission') decisions.keep(facts, answer, '');
        if (isEdited) {
          const decisionReason = audit.reasonOf(decided);
          const userModified = !isAutomatic(why);
          const ran = { behavior: 'allow', userModified, decisionReason } as const;
          audit.judged(caller, call, ran, request.requestId);
        }
        call.extras = [...call.extras, ...extrasOf(answer, answererOf(decided))];
        allow(live, call, judged, decision);
      } catch (error) {
        await table.refuse(live, id, `${call.block.name}: ${messageOf(error)}`);
      } finally {
        call.closeAsk?.();
      }
    },

    withdraw(call) {
      if (call.request !== undefined) audit.cancelled(call.request);
      call.closeAsk?.();
    },

    async judgeUse(toolName, input, context) {
      const tool = findToolByName(caller.tools, toolName);
      if (tool === undefined) throw new ToolNotFoundError(toolName, namesOf(caller.tools));
      const { decision, rewritten } = await judgeInput(tool, input, context, (candidate) =>
        judge(tool, candidate, context),
      );
      return decision.behavior === 'allow' && rewritten !== undefined
        ? { ...decision, updatedInput: rewritten.input }
        : decision;
    },

    recheck(id) {
      const call = table.get(id);
      const { judged, tool, controller, input: parsed } = call;
      const context = caller.permissionContext();
      if (judged === undefined || judged.rules === context) return undefined;
      if (controller.signal.aborted) return undefined; // it does not begin
      const lapseOf = (decision: PermissionDecision): string | undefined => {
        if (decision.behavior !== 'deny') return undefined;
        audit.judged(caller, call, decision);
        const { message, decisionReason: reason } = decision;
        const denial = denialOf(call, id, { message, reason }, context);
        emitFrom(caller.door, { type: 'permission.denied', args: [denial] });
        return message;
      };
      if (tool?.preparePermissionMatcher === undefined)
        return lapseOf(decide(judged.facts, context));
      return judge(tool, parsed, table.contextOf(id)).then((again) => {
        call.judged = again;
        return lapseOf(again.decision);
      });
    },

    beginPrompt() {
      denials.beginPrompt();
      decisions.clear();
    },
    denials,
  };
}
