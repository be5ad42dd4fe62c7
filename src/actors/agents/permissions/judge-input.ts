import { isDeepStrictEqual } from 'node:util';
import type { PermissionDecision } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { readEditedInput, type EditedInput } from '../calls/edited-input.js';

/** What a use is, what was decided on it, and by which rules. */
export type Judgement = {
  readonly facts: ToolFacts;
  readonly decision: PermissionDecision;
  readonly rules: ToolPermissionContext;
};

export type Judged = Judgement & {
  /** What the tool's own check has made of the input: this is what was judged. */
  readonly rewritten?: Extract<EditedInput, { ok: true }>;
};

/**
 * Judges one use of a tool. Where the tool's own check allows it with another input, that one is parsed, checked and
 * judged as any other, once, and of both verdicts the stricter holds.
 */
export async function judgeInput(
  tool: Tool,
  input: ToolFacts['input'],
  context: ToolUseContext,
  judge: (input: ToolFacts['input']) => Promise<Judgement>,
): Promise<Judged> {
  const first = await judge(input);
  const { ownCheck } = first.facts;
  const updated = ownCheck.behavior === 'allow' ? ownCheck.updatedInput : undefined;
  if (updated === undefined || first.decision.behavior === 'deny') return first;
  const rewritten = await readEditedInput(tool, updated, context);
  if (!rewritten.ok) {
    const message = `The permission check of ${tool.name} rewrote the input to one that cannot be used. ${rewritten.message}`;
    const decisionReason = { type: 'other', reason: message } as const;
    return { ...first, decision: { behavior: 'deny', message, decisionReason } };
  }
  if (isDeepStrictEqual(rewritten.input, input)) return first;
  const second = await judge(rewritten.input);
  const isLaxer = second.decision.behavior === 'allow' && first.decision.behavior === 'ask';
  return { ...second, rewritten, ...(isLaxer ? { decision: first.decision } : {}) };
}
