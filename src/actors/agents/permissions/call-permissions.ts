import { messageOf } from '../../../core/errors.js';
import { whenKnown } from '../../../core/time/when-known.js';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { PermissionDecision } from '../../../core/decision-types.js';
import { decide } from '../../../permissions/decide.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import { ToolNotFoundError } from '../../../tools/calls/tool-not-found-error.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import { applyAnswer } from './apply-answer.js';
import { createCallDecisions } from './call-decisions.js';
import type { CallTable } from '../calls/call-table.js';
import { namesOf, type Call, type LiveCall, type Refuse } from '../calls/call.js';
import type { Caller } from '../parts/caller.js';
import type { EffectEnd } from '../parts/effects.js';
import { decideCall } from './decide-call.js';
import { createDenials, type Denials } from './denials.js';
import { createHearDenial } from './hear-denial.js';
import type { PermissionServices } from './permission-services.js';
import { createToolDecisions } from './tool-decisions.js';
import { createUseJudge } from './use-judge.js';

/** Whether a tool call may run: the rules decide, or leave it to a permission request. */
export interface CallPermissions {
  decide(live: LiveCall, id: string): EffectEnd;
  applyAnswer(live: LiveCall, id: string, decided: PermissionDecided): Promise<void>;
  /** Withdraw the request of a cancelled call, if it has one. */
  withdraw(call: Call): void;
  /** Judge the call of a tool by another tool: the same rules apply, without a request. */
  judgeUse(
    toolName: string,
    input: Readonly<Record<string, unknown>>,
    context: ToolUseContext,
  ): Promise<PermissionDecision>;
  /**
   * Why an allowed call must not begin: rules or mode have changed since. Undefined if it may. A promise if the tool
   * has to check the new rules: call `recheck` again afterwards, for they may have changed meanwhile.
   */
  recheck(id: string): string | undefined | Promise<string | undefined>;
  /** Forget the decisions of the last turn: a person has sent a new prompt. */
  beginPrompt(): void;
  readonly denials: Pick<Denials, 'failure'>;
}

export function createCallPermissions(
  caller: Caller,
  services: PermissionServices,
  table: Pick<CallTable, 'get' | 'contextOf'> & { readonly refuse: Refuse },
): CallPermissions {
  const { audit, bashGrammar } = services;
  const denials = createDenials();
  const answers = createToolDecisions();
  const judge = createUseJudge(caller, bashGrammar);
  const hear = createHearDenial(caller, services, table.contextOf);
  const decisions = createCallDecisions(caller, audit, table.refuse, denials, hear);
  const deciding = { caller, services, table, judge, answers, decisions };
  const answering = { caller, audit, table, judge, answers, decisions };

  /** @returns why the call must not begin */
  const withholdIfDenied = (call: Call, decision: PermissionDecision): string | undefined => {
    if (decision.behavior !== 'deny') return undefined;
    decisions.withhold(call, decision);
    return decision.message;
  };

  return {
    decide: (live, id) => decideCall(deciding, live, table.get(id)),

    async applyAnswer(live, id, decided) {
      const call = table.get(id);
      const request = call.request as PermissionRequest; // it made a request
      call.request = undefined; // the request is decided
      audit.answered(caller, request, decided);
      try {
        await applyAnswer(answering, live, { call, request, decided });
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
      const { decision, rewritten } = await judge.judgeWithRewrite({ tool, input, context });
      return decision.behavior === 'allow' && rewritten !== undefined
        ? { ...decision, updatedInput: rewritten.input }
        : decision;
    },

    recheck(id) {
      const call = table.get(id);
      const { judged, tool, controller, input } = call;
      const rules = caller.permissionContext();
      if (judged === undefined || judged.rules === rules) return undefined;
      if (controller.signal.aborted) return undefined; // the call does not begin
      if (tool?.preparePermissionMatcher === undefined)
        return withholdIfDenied(call, decide(judged.facts, rules));
      return whenKnown(judge.judge({ tool, input, context: table.contextOf(call) }), (again) => {
        call.judged = again;
        return withholdIfDenied(call, again.decision);
      });
    },

    beginPrompt() {
      denials.beginPrompt();
      answers.clear();
    },
    denials,
  };
}
