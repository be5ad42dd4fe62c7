import type { PermissionAnswer } from '../../core/decision-types.js';
import type { HookOutput } from '../../extensions/hooks/hook-output.js';
import { strictestProposal, type Proposal } from '../../permissions/proposal.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookedUse } from './hook-cause.js';
import type { EventHooks } from './session-hooks.js';
import { colon, contextOf, type SaidByHook } from './hook-verdict.js';

/** The merged output of all hooks for a tool call. */
export type ToolUseAdvice = {
  /** The strictest proposal of the hooks that do not defer. */
  readonly proposal?: Proposal | undefined;
  /** A hook defers the call, and none denies it. */
  readonly deferral?: Deferral | undefined;
  /** The input from the first hook that rewrote it, not yet checked. */
  readonly updatedInput?:
    { readonly by: string; readonly input: Readonly<Record<string, unknown>> } | undefined;
  /** Text for the model, with the result. */
  readonly context: readonly string[];
  /** Ends the turn. */
  readonly stops?: { readonly reason: string } | undefined;
};

export type Deferral = {
  /** Name of the hook. */
  readonly by: string;
  /** The proposal that stands for it if the call cannot be deferred. */
  readonly asks: Proposal;
};

/** Run the hooks before a call is judged. */
export async function adviseByHooks(
  hooks: EventHooks,
  use: HookedUse,
  signal: AbortSignal,
): Promise<ToolUseAdvice> {
  return mergePreToolUse(await hooks.run('PreToolUse', use, {}, signal));
}

/** A hook's decision in a person's place; undefined if no hook decides. */
export async function answerByHooks(
  hooks: EventHooks,
  use: HookedUse,
  suggestions: readonly PermissionUpdate[],
  signal: AbortSignal,
): Promise<ReturnType<typeof mergeRequest>> {
  const fields = { permission_suggestions: suggestions };
  return mergeRequest(await hooks.run('PermissionRequest', use, fields, signal));
}

/** The strictest proposal counts, and the first rewritten input: one that denies, that defers, that asks, that allows. */
function mergePreToolUse(all: readonly SaidByHook[]): ToolUseAdvice {
  const said = all.filter((one) => !defers(one)); // their other fields do not count
  const proposal = strictestProposal(said.flatMap((one) => proposalOf(one) ?? []));
  const deferring = proposal?.behavior === 'deny' ? undefined : all.find(defers);
  const rewriting = said.find(({ output }) => own(output)?.updatedInput !== undefined);
  const updatedInput = rewriting === undefined ? undefined : own(rewriting.output)?.updatedInput;
  const stopping = all.find(({ output }) => output.continue === false);
  const givesInput = rewriting !== undefined && decisionOf(rewriting) === 'allow';
  return {
    proposal: proposal?.behavior === 'allow' && givesInput ? { ...proposal, givesInput } : proposal,
    deferral: deferring && { by: deferring.name, asks: proposalBy(deferring, 'ask') },
    updatedInput:
      rewriting === undefined || updatedInput === undefined
        ? undefined
        : { by: rewriting.name, input: updatedInput },
    context: all.flatMap(contextOf),
    stops: stopping && {
      reason: `The hook ${stopping.name} ended the turn${colon(stopping.output.stopReason)}`,
    },
  };
}

/** A denial counts before an approval. */
function mergeRequest(
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

function defers(said: SaidByHook): boolean {
  return decisionOf(said) === 'defer';
}

function proposalOf(said: SaidByHook): Proposal | undefined {
  const behavior = decisionOf(said);
  return behavior === undefined || behavior === 'defer' ? undefined : proposalBy(said, behavior);
}

function decisionOf({ output }: SaidByHook): Proposal['behavior'] | 'defer' | undefined {
  const older =
    output.decision === 'block' ? 'deny' : output.decision === 'approve' ? 'allow' : undefined;
  return older === 'deny' ? older : (own(output)?.permissionDecision ?? older);
}

function proposalBy(said: SaidByHook, behavior: Proposal['behavior']): Proposal {
  const { permissionDecision, permissionDecisionReason } = own(said.output) ?? {};
  const { decision, reason } = said.output;
  const isOverruled = decision === 'block' && permissionDecision !== 'deny'; // by exit code 2, which has its own reason
  const message = isOverruled ? reason : (permissionDecisionReason ?? reason);
  return { behavior, reason: reasonOf(said, message), message };
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
