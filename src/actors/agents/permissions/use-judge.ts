import { isDeepStrictEqual } from 'node:util';
import type { PermissionDecision } from '../../../core/decision-types.js';
import { whenKnown } from '../../../core/time/when-known.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import { decide } from '../../../permissions/decide.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import type { Proposal } from '../../../permissions/proposal.js';
import type { BashGrammar } from '../../../tools/shell/bash-grammar.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { gatherFacts } from '../../facts/gather-facts.js';
import type { PermissionView } from '../parts/caller.js';
import { readEditedInput, type EditedInput } from '../calls/edited-input.js';

/** A tool call as it would run. */
export type Use = {
  readonly tool: Tool;
  readonly input: ToolFacts['input'];
  readonly context: ToolUseContext;
};

/** The facts of a tool call, the decision on it, and the rules that decided. */
export type Judgement = {
  readonly facts: ToolFacts;
  readonly decision: PermissionDecision;
  readonly rules: ToolPermissionContext;
};

export type Judged = Judgement & {
  /** The input after the tool's own check. This input was judged. */
  readonly rewritten?: Extract<EditedInput, { ok: true }>;
};

/** Judge tool calls by the present rules, without a permission request. */
export interface UseJudge {
  /** Judge a tool call as it is. */
  judge(use: Use, proposal?: Proposal): Judgement | Promise<Judgement>;
  /**
   * Judge a tool call. If the tool's own check allows it with another input, that input is parsed, checked and judged
   * like any other, once, and the stricter of both decisions holds.
   */
  judgeWithRewrite(use: Use, proposal?: Proposal): Judged | Promise<Judged>;
}

export function createUseJudge(
  { permissionContext }: Pick<PermissionView, 'permissionContext'>,
  bashGrammar: BashGrammar,
): UseJudge {
  const judge: UseJudge['judge'] = (use, proposal) => {
    const { tool, input, context } = use;
    const before = permissionContext();
    const facts = gatherFacts(tool, input, context, bashGrammar, { rules: before });
    return whenKnown(facts, (known) => {
      const rules = permissionContext();
      const isNew = tool.preparePermissionMatcher !== undefined && rules !== before;
      if (isNew) return judge(use, proposal); // rules that the matcher of the tool has not seen
      return { facts: known, rules, decision: decide(known, rules, proposal) };
    });
  };

  /** Judge the input of the tool's own check. */
  const judgeRewrite = async (
    { tool, input, context }: Use,
    first: Judgement,
    updated: Use['input'],
    proposal: Proposal | undefined,
  ): Promise<Judged> => {
    const rewritten = await readEditedInput(tool, updated, context);
    if (!rewritten.ok) {
      const message = `The permission check of ${tool.name} rewrote the input to one that cannot be used. ${rewritten.message}`;
      const decisionReason = { type: 'other', reason: message } as const;
      return { ...first, decision: { behavior: 'deny', message, decisionReason } };
    }
    if (isDeepStrictEqual(rewritten.input, input)) return first;
    const second = await judge({ tool, input: rewritten.input, context }, proposal);
    const isLaxer = second.decision.behavior === 'allow' && first.decision.behavior === 'ask';
    return { ...second, rewritten, ...(isLaxer ? { decision: first.decision } : {}) };
  };

  return {
    judge,
    judgeWithRewrite: (use, proposal) =>
      whenKnown(judge(use, proposal), (first) => {
        const { ownCheck } = first.facts;
        const updated = 'updatedInput' in ownCheck ? ownCheck.updatedInput : undefined;
        if (updated === undefined || first.decision.behavior === 'deny') return first;
        return judgeRewrite(use, first, updated, proposal);
      }),
  };
}
