import { messageOf } from '../../core/errors.js';
import type { AnyActorRef } from 'xstate';
import type { PermissionDecided, PermissionRequest } from '../../core/events.js';
import { createRequestId } from '../../core/ids.js';
import type { PermissionDecision } from '../../core/permission-types.js';
import { decide } from '../../permissions/decide.js';
import type { ToolFacts } from '../../permissions/facts.js';
import { formatRule } from '../../permissions/rule.js';
import { findToolByName } from '../../tools/find-tool.js';
import { parseToolInput } from '../../tools/parse-tool-input.js';
import { ToolNotFoundError } from '../../tools/tool-not-found-error.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import type { Audit } from '../audit.js';
import { emitFrom, type PermissionDenial } from '../event-bus.js';
import { gatherFacts } from '../gather-facts.js';
import type { Timers } from '../timers.js';
import type { AgentParts } from './agent-parts.js';
import { namesOf, tellCall, type Call, type CallTable } from './call.js';
import { denialText, isSystem } from './synthetic-results.js';

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
}

export function createCallPermissions(
  parts: AgentParts,
  { timers, audit }: { timers: Timers; audit: Audit },
  table: CallTable,
): CallPermissions {
  const deny = async (
    actor: AnyActorRef,
    id: string,
    { message, reason }: Pick<PermissionDenial, 'message' | 'reason'>,
    endsTurn = false,
  ): Promise<void> => {
    const { block, input } = table.get(id);
    const denial = { toolName: block.name, toolUseId: id, input, message, reason };
    emitFrom(parts.door, { type: 'permission.denied', args: [denial] });
    await table.refuse(actor, id, message, endsTurn);
  };

  const judge = async (
    id: string,
    call: Call,
  ): Promise<{ facts: ToolFacts; decision: PermissionDecision }> => {
    const tool = call.tool as Tool; // validated
    const facts = await gatherFacts(tool, call.input, table.contextOf(id));
    return { facts, decision: decide(facts, parts.permissionContext()) };
  };

  return {
    async decide(actor, id) {
      const call = table.get(id);
      try {
        const { facts, decision } = await judge(id, call);
        audit.judged(parts, id, facts, decision);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (decision.behavior === 'allow') {
          if (decision.updatedInput !== undefined) call.input = decision.updatedInput;
          call.approvedPaths = realPathsOf(facts);
          return tellCall(actor, { type: 'call.allowed' });
        }
        const at = timers.now();
        call.request = {
          type: 'permission.request',
          requestId: createRequestId(),
          kind: call.tool?.askKind ?? 'permission',
          toolName: call.block.name,
          toolUseId: id,
          input: call.input as Record<string, unknown>, // read-only to everybody
          message: decision.message,
          suggestions: decision.suggestions ?? [],
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
          const isPerson = !isSystem(decided.by);
          const endsTurn =
            answer.interrupt === true ||
            (isPerson && answer.message === undefined && parts.depth === 0);
          const message = denialText(request, answer.message, decided.by, parts.depth > 0);
          const reason = audit.reasonOf(decided);
          return await deny(actor, id, { message, reason }, endsTurn);
        }
        let isEdited = false;
        if (answer.updatedInput !== undefined) {
          const parsed = await parseToolInput(call.tool as Tool, answer.updatedInput);
          if (!parsed.ok)
            return await table.refuse(actor, id, `The edited input was refused. ${parsed.message}`);
          isEdited = JSON.stringify(parsed.input) !== JSON.stringify(call.input);
          call.input = parsed.input;
        }
        const { facts, decision } = await judge(id, call);
        if (decision.behavior === 'deny')
          return await deny(actor, id, {
            message: decision.message,
            reason: decision.decisionReason,
          });
        if (!isEdited && !touchesTheSame(request.facts as ToolFacts, facts)) {
          const message = `Permission lapsed: what ${call.block.name} would touch changed while the question stood open. Try again.`;
          const reason = {
            type: 'safetyCheck',
            reason: message,
            classifierApprovable: false,
          } as const;
          return await deny(actor, id, { message, reason });
        }
        call.approvedPaths = realPathsOf(facts);
        tellCall(actor, { type: 'call.allowed' });
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
      return decide(await gatherFacts(tool, input, context), parts.permissionContext());
    },
  };
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
