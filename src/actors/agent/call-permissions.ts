import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../core/errors.js';
import type { AnyActorRef } from 'xstate';
import type { PermissionDecided, PermissionRequest } from '../../core/events.js';
import { createRequestId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { PermissionAnswer, PermissionDecision } from '../../core/permission-types.js';
import { isClassifiable } from '../../permissions/classifiable.js';
import type { TurnEnd } from '../../machines/tool-call.js';
import { decide } from '../../permissions/decide.js';
import type { ToolFacts } from '../../permissions/facts.js';
import { isOpenToLeave, type Proposal } from '../../permissions/proposal.js';
import { formatRule } from '../../permissions/rule.js';
import { findToolByName } from '../../tools/find-tool.js';
import { parseToolInput } from '../../tools/parse-tool-input.js';
import { ToolNotFoundError } from '../../tools/tool-not-found-error.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import { emitFrom, type PermissionDenial } from '../event-bus.js';
import { gatherFacts } from '../gather-facts.js';
import { adviseUse } from './advise-use.js';
import type { AgentParts } from './agent-parts.js';
import { namesOf, tellCall, type Call, type CallTable } from './call.js';
import { createDenials, type Denials } from './denials.js';
import { denialText, isAutomatic, isSystem } from './synthetic-results.js';
import type { PermissionServices } from './permission-services.js';
import { shownInput } from './shown-input.js';
import { createToolDecisions, type RememberedAnswer } from './tool-decisions.js';

/** Whether a tool use may run: asked of the rules, then, where they leave it open, of whoever answers. */
export interface CallPermissions {
  decide(call: AnyActorRef, id: string): Promise<void>;
  applyAnswer(call: AnyActorRef, id: string, decided: PermissionDecided): Promise<void>;
  /** For a tool that uses another: the same rules, nobody is asked. */
  judgeUse(
    toolName: string,
    input: Readonly<Record<string, unknown>>,
    context: ToolUseContext,
  ): Promise<PermissionDecision>;
  /** Why a use that was allowed must not begin: rules or mode have changed since. Nothing where it may. */
  recheck(id: string): string | undefined;
  /** A person has said something new: earlier answers are no longer of this turn. */
  beginPrompt(): void;
  readonly denials: Pick<Denials, 'failure'>;
}

export function createCallPermissions(
  parts: AgentParts,
  services: PermissionServices,
  table: CallTable,
): CallPermissions {
  const { timers, audit, bashGrammar, asksAlways = false, classifierName } = services;
  const denials = createDenials();
  const decisions = createToolDecisions();

  const deny = async (
    actor: AnyActorRef,
    id: string,
    { message, reason }: Pick<PermissionDenial, 'message' | 'reason'>,
    endsTurn?: TurnEnd,
  ): Promise<void> => {
    const { block, shownInput: input, turn } = table.get(id);
    const denial = { toolName: block.name, toolUseId: id, input, message, reason };
    emitFrom(parts.door, { type: 'permission.denied', args: [denial] });
    await table.refuse(actor, id, message + denials.denied(turn), endsTurn);
  };

  const allow = (actor: AnyActorRef, call: Call, facts: ToolFacts): void => {
    denials.allowed();
    call.approvedPaths = realPathsOf(facts);
    call.judged = { facts, context: parts.permissionContext() };
    tellCall(actor, { type: 'call.allowed' });
  };

  const judge = async (
    id: string,
    call: Call,
    proposal?: Proposal,
  ): Promise<{ facts: ToolFacts; decision: PermissionDecision }> => {
    const tool = call.tool as Tool; // validated
    const facts = await gatherFacts(tool, call.input, table.contextOf(id), bashGrammar);
    return { facts, decision: decide(facts, parts.permissionContext(), proposal) };
  };

  /** What was answered to the same use before. Leave does not hold where a rule or a check asks each time. */
  const recall = (facts: ToolFacts, decision: PermissionDecision): RememberedAnswer | undefined => {
    const answer = decisions.find(facts);
    const isLeave = answer?.behavior === 'allow';
    return isLeave && !isOpenToLeave(decision.decisionReason, facts) ? undefined : answer;
  };

  return {
    async decide(actor, id) {
      const call = table.get(id);
      try {
        const advice = await adviseUse(parts, services, call, table.contextOf(id));
        if (advice.status === 'bad input') return await table.refuse(actor, id, advice.message);
        if (advice.status === 'stop') {
          const { message } = advice;
          return await deny(
            actor,
            id,
            { message, reason: { type: 'other', reason: message } },
            'refused',
          );
        }
        const { facts, decision } = await judge(id, call, advice.proposal);
        audit.judged(parts, id, facts, decision);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (decision.behavior === 'allow') {
          if (decision.updatedInput !== undefined) {
            call.input = decision.updatedInput;
            call.shownInput = decision.updatedInput;
          }
          if (!asksAlways) return allow(actor, call, facts);
        }
        const known = decision.behavior === 'ask' ? recall(facts, decision) : undefined;
        if (known?.behavior === 'allow') return allow(actor, call, facts);
        if (known !== undefined) {
          const reason = { type: 'other', reason: 'it was denied before in this turn' } as const;
          return await deny(actor, id, { message: known.message, reason });
        }
        const checks = isClassifiable(facts, parts.permissionContext());
        const at = timers.now();
        call.request = {
          type: 'permission.request',
          requestId: createRequestId(),
          kind: call.tool?.askKind ?? 'permission',
          toolName: call.block.name,
          toolUseId: id,
          input: call.shownInput as Record<string, unknown>, // read-only to everybody
          message:
            decision.behavior === 'ask'
              ? decision.message
              : `${call.block.name}: the program wants to be asked about every use.`,
          suggestions: decision.behavior === 'ask' ? (decision.suggestions ?? []) : [],
          ...(checks && classifierName !== undefined
            ? { pendingClassifierCheck: classifierName }
            : {}),
          facts,
          agentId: parts.id,
          taskId: parts.taskId,
          from: id,
          path: [{ actor: id, ...ruleOf(decision), verdict: 'asked', at }],
          at,
        };
        tellCall(actor, { type: 'call.ask', request: call.request });
      } catch (error) {
        await table.refuse(actor, id, `${call.block.name}: ${messageOf(error)}`);
      }
    },

    async applyAnswer(actor, id, decided) {
      const call = table.get(id);
      const { answer } = decided;
      const request = call.request as PermissionRequest; // it asked
      call.request = undefined; // it is answered
      audit.answered(parts, request, decided);
      try {
        if (answer.behavior === 'deny') {
          const isPerson = !isSystem(decided);
          const isPlain = isPerson && answer.message === undefined && parts.depth === 0;
          const endsTurn =
            answer.interrupt === true ? 'interrupted' : isPlain ? 'refused' : undefined;
          const message = denialText(request, answer.message, decided, parts.depth > 0);
          if (isPerson && request.kind === 'permission')
            decisions.keep(request.facts as ToolFacts, answer, message); // gathered by this agent
          const reason = audit.reasonOf(decided);
          return await deny(actor, id, { message, reason }, endsTurn);
        }
        let isEdited = false;
        if (answer.updatedInput !== undefined) {
          const tool = call.tool as Tool; // validated
          const parsed = await parseToolInput(tool, answer.updatedInput);
          if (!parsed.ok)
            return await table.refuse(actor, id, `The edited input was refused. ${parsed.message}`);
          isEdited = !isDeepStrictEqual(parsed.input, call.input);
          call.input = parsed.input;
          if (isEdited) call.shownInput = await shownInput(tool, parsed.input, answer.updatedInput);
        }
        const { reason: why, by } = decided;
        const proposal = isAutomatic(why) ? { behavior: 'allow' as const, reason: why } : undefined;
        const { facts, decision } = await judge(id, call, proposal);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (proposal !== undefined && decision.behavior === 'ask') {
          const message = `Permission lapsed: ${by} allowed it, and only a person can. ${decision.message} Try again.`;
          const reason = decision.decisionReason ?? { type: 'other', reason: message };
          return await deny(actor, id, { message, reason });
        }
        if (!isEdited && !touchesTheSame(request.facts as ToolFacts, facts)) {
          const message = `Permission lapsed: what ${call.block.name} would touch changed while the question stood open. Try again.`;
          const reason = {
            type: 'safetyCheck',
            reason: message,
            classifierApprovable: false,
          } as const;
          return await deny(actor, id, { message, reason });
        }
        if (!isSystem(decided) && request.kind === 'permission') decisions.keep(facts, answer, '');
        call.extras = [...call.extras, ...extrasOf(answer)];
        allow(actor, call, facts);
      } catch (error) {
        await table.refuse(actor, id, `${call.block.name}: ${messageOf(error)}`);
      }
    },

    async judgeUse(
      toolName: string,
      input: Readonly<Record<string, unknown>>,
      context: ToolUseContext,
    ): Promise<PermissionDecision> {
      const tool = findToolByName(parts.tools, toolName);
      if (tool === undefined) throw new ToolNotFoundError(toolName, namesOf(parts.tools));
      return decide(
        await gatherFacts(tool, input, context, bashGrammar),
        parts.permissionContext(),
      );
    },

    recheck(id) {
      const { judged, block, shownInput: input } = table.get(id);
      const context = parts.permissionContext();
      if (judged === undefined || judged.context === context) return undefined;
      const decision = decide(judged.facts, context);
      if (decision.behavior !== 'deny') return undefined;
      const { message, decisionReason: reason } = decision;
      const denial = { toolName: block.name, toolUseId: id, input, message, reason };
      emitFrom(parts.door, { type: 'permission.denied', args: [denial] });
      return message;
    },

    beginPrompt() {
      denials.beginPrompt();
      decisions.clear();
    },
    denials,
  };
}

/** What whoever allowed it says to the model. */
function extrasOf(answer: Extract<PermissionAnswer, { behavior: 'allow' }>): Call['extras'] {
  const { acceptFeedback = '', contentBlocks = [] } = answer;
  const said = acceptFeedback.trim();
  return [
    ...(said === '' ? [] : [textBlock(`The user allowed it and said: ${said}`)]),
    ...contentBlocks,
  ];
}

/** Where the paths of a use really lead; a path that cannot be followed leads nowhere. */
function realPathsOf({ target }: ToolFacts): readonly string[] | undefined {
  if (target?.kind !== 'paths') return undefined;
  return target.paths.flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
}

/** Whether the links on the way still lead where they led when the question was asked. */
function touchesTheSame(asked: ToolFacts, now: ToolFacts): boolean {
  return JSON.stringify(asked.target) === JSON.stringify(now.target);
}

/** The rule that made it an ask, as written. */
function ruleOf({ decisionReason }: PermissionDecision): { readonly rule?: string } {
  return decisionReason?.type === 'rule' ? { rule: formatRule(decisionReason.rule.value) } : {};
}
