import type { PermissionAnswer } from '../../core/decision-types.js';
import type { HookOutput } from '../../extensions/hooks/hook-output.js';
import { strictestProposal, type Proposal } from '../../permissions/proposal.js';
import { colon, contextOf, type SaidByHook } from './hook-verdict.js';

/** The merged output of all hooks for a tool call. */
export type ToolUseAdvice = {
  readonly proposal?: Proposal | undefined;
  /** The input from the first hook that rewrote it, not yet checked. */
  readonly updatedInput?:
    { readonly by: string; readonly input: Readonly<Record<string, unknown>> } | undefined;
  /** Text for the model, with the result. */
  readonly context: readonly string[];
  /** Ends the turn. */
  readonly stops?: { readonly reason: string } | undefined;
};

/** The strictest proposal counts, and the first rewritten input. */
export function mergePreToolUse(said: readonly SaidByHook[]): ToolUseAdvice {
  const proposal = strictestProposal(said.flatMap((one) => proposalOf(one) ?? []));
  const rewriting = said.find(({ output }) => own(output)?.updatedInput !== undefined);
  const updatedInput = rewriting === undefined ? undefined : own(rewriting.output)?.updatedInput;
  const stopping = said.find(({ output }) => output.continue === false);
  return {
    proposal,
    updatedInput:
      rewriting === undefined || updatedInput === undefined
        ? undefined
        : { by: rewriting.name, input: updatedInput },
    context: said.flatMap(contextOf),
    stops: stopping && {
      reason: `The hook ${stopping.name} ended the turn${colon(stopping.output.stopReason)}`,
    },
  };
}

/** A denial counts before an approval. */
export function mergeRequest(
  said: readonly SaidByHook[],
): { readonly answer: PermissionAnswer; readonly reason: Proposal['reason'] } | undefined {
  const answers = said.flatMap((one) => {
    const answer = answerOf(one);
    return answer === undefined ? [] : [{ answer, reason: reasonOf(one, messageIn(answer)) }];
  });
  return answers.find(({ answer }) => answer.behavior === 'deny') ?? answers[0];
}

function answerOf({ name, output }: SaidByHook): PermissionAnswer | undefined {
  const denied = (why: string | undefined, interrupt = false): PermissionAnswer => ({
    behavior: 'deny',
    message: `The hook ${name} denied it${colon(why)}`,
    ...(interrupt ? { interrupt } : {}),
  });
  if (output.continue === false) return denied(output.stopReason, true);
  if (output.decision === 'block') return denied(output.reason);
  const { hookSpecificOutput: specific } = output;
  if (specific?.hookEventName !== 'PermissionRequest' || specific.decision === undefined)
    return undefined;
  const { decision } = specific;
  if (decision.behavior === 'deny') return denied(decision.message, decision.interrupt);
  const { updatedInput, updatedPermissions } = decision;
  return {
    behavior: 'allow',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(updatedPermissions === undefined ? {} : { updatedPermissions }),
  };
}

function proposalOf(said: SaidByHook): Proposal | undefined {
  const { output } = said;
  const decided = own(output)?.permissionDecision;
  const older =
    output.decision === 'block' ? 'deny' : output.decision === 'approve' ? 'allow' : undefined;
  const proposed = decided === 'defer' ? 'ask' : decided; // somebody decides later
  const behavior = older === 'deny' ? older : (proposed ?? older);
  if (behavior === undefined) return undefined;
  const message = own(output)?.permissionDecisionReason ?? output.reason;
  const reason = reasonOf(said, message);
  return { behavior, reason, message };
}

function own(output: HookOutput) {
  const { hookSpecificOutput } = output;
  return hookSpecificOutput?.hookEventName === 'PreToolUse' ? hookSpecificOutput : undefined;
}

function reasonOf({ name, source }: SaidByHook, reason: string | undefined): Proposal['reason'] {
  return {
    type: 'hook',
    hookName: name,
    ...(source === undefined ? {} : { hookSource: source }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function messageIn(answer: PermissionAnswer): string | undefined {
  return answer.behavior === 'deny' ? answer.message : undefined;
}
