import type { AgentContext } from '../../../core/agents/agent-context.js';
import { textBlock } from '../../../core/messages.js';
import { strictestProposal, type Proposal } from '../../../permissions/proposal.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { hookKey } from '../../../journal/entries/step-key.js';
import { adviseByHooks, type Deferral, type ToolUseAdvice } from '../../hooks/merge-hooks.js';
import type { EventHooks } from '../../hooks/session-hooks.js';
import type { HookedAgent } from '../parts/hook-subject.js';
import type { Call } from '../calls/call.js';
import { readEditedInput } from '../calls/edited-input.js';
import { hookedUse } from './hooked-use.js';
import type { PermissionServices } from './permission-services.js';

/** The result of the hooks for a tool call, before the rules judge it. */
export type UseAdvice =
  | { readonly status: 'continue'; readonly proposal?: Proposal | undefined }
  | { readonly status: 'stop'; readonly message: string }
  | { readonly status: 'deferred' }
  /** A hook rewrote the input to an invalid one. */
  | {
      readonly status: 'bad input';
      readonly message: string;
      readonly reason: Proposal['reason'];
    };

/**
 * Run the PreToolUse hooks of a tool call. A rewritten input replaces the call's, and is parsed and checked like any
 * other.
 */
export async function adviseUse(
  caller: HookedAgent & { readonly stepContext: AgentContext },
  services: Pick<PermissionServices, 'bashGrammar'>,
  hooks: EventHooks,
  call: Call,
  context: ToolUseContext,
  defer: (deferral: Deferral) => Promise<'deferred' | Proposal | undefined>,
): Promise<UseAdvice> {
  const tool = call.tool as Tool; // validated
  const use = hookedUse(caller, services, call, context);
  if (!hooks.has('PreToolUse', use)) return { status: 'continue' };
  const { signal } = context.call.abortController;
  const advice = await hear(caller.stepContext, context.call.toolUseId, () =>
    adviseByHooks(hooks, use, signal),
  );
  const { proposal, deferral, updatedInput, context: texts, stops } = advice;
  if (stops !== undefined) return { status: 'stop', message: stops.reason };
  const instead = deferral && (await defer(deferral));
  if (instead === 'deferred') return { status: instead };
  call.extras = [...call.extras, ...texts.map(textBlock)];
  if (updatedInput !== undefined) {
    const edited = await readEditedInput(tool, updatedInput.input, context, {
      isAnswer: proposal?.givesInput === true && tool.requiresUserInteraction?.() === true,
    });
    if (!edited.ok) {
      const message = `The hook ${updatedInput.by} rewrote the input to one that cannot be used. ${edited.message}`;
      const reason = { type: 'hook', hookName: updatedInput.by, reason: edited.message } as const;
      return { status: 'bad input', message, reason };
    }
    call.input = edited.input;
    call.shownInput = edited.shown;
  }
  return {
    status: 'continue',
    proposal: strictestProposal([instead ?? [], proposal ?? []].flat()),
  };
}

/** Run the hooks once for a call, and again in each run that resumes a deferred one. */
async function hear(
  stepContext: AgentContext,
  toolUseId: string,
  run: () => Promise<ToolUseAdvice>,
): Promise<ToolUseAdvice> {
  const key = hookKey('PreToolUse', toolUseId);
  for (;;) {
    const isEarlier = stepContext.isDone(key);
    const advice = await stepContext.step(key, run, { isHarmless: true });
    if (!isEarlier || advice.deferral === undefined) return advice;
  }
}
