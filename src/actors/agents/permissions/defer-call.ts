import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { Failure } from '../../../core/failure.js';
import { isRecord } from '../../../core/json/is-record.js';
import { toolUsesOf, type AssistantMessage } from '../../../core/messages.js';
import type { DeferredToolUse, WorkOutcome } from '../../../core/task-types.js';
import { hookKey } from '../../../journal/entries/step-key.js';
import type { Proposal } from '../../../permissions/proposal.js';
import type { Deferral, ToolUseAdvice } from '../../hooks/merge-hooks.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Call, LiveCall } from '../calls/call.js';
import type { DecideOwners } from './decide-call.js';
import type { PermissionServices } from './permission-services.js';

/**
 * Carry out a hook's `defer`. A deferred call stays open, and its agent ends; the journal has the reply and no result, so
 * a resumed agent decides on the call again. Only the main agent's only call of a reply can be deferred: otherwise the
 * decision of the hook does not count, and a call of another agent becomes a permission request.
 *
 * @returns what the rules judge instead; `deferred` if they judge nothing
 */
export async function deferCall(
  caller: DecideOwners['caller'],
  { onDefer }: Pick<PermissionServices, 'onDefer'>,
  live: LiveCall,
  call: Call,
  { by, asks }: Deferral,
): Promise<'deferred' | Proposal | undefined> {
  const warn = (message: string): void => {
    const { name: toolName } = call.block;
    const notice = { event: 'PreToolUse', hook: by, toolName, message, isFailure: false };
    emitFrom(caller.stepContext, { type: 'hook.notice', args: [notice] });
  };
  if (caller.depth > 0) {
    warn('only calls of the main agent can be deferred: "defer" counts as "ask"');
    return asks;
  }
  if (onDefer === 'ask') return asks;
  if (onDefer === 'ignore') {
    warn('"defer" has no effect in a session with a person');
    return undefined;
  }
  const { signal } = call.controller;
  const reply = await replyOf(caller, call, signal);
  if (reply === undefined) return undefined; // the turn was stopped, and its calls are cancelled
  const { length } = toolUsesOf(reply);
  if (length > 1) {
    warn(
      `"defer" has no effect on one of ${length} calls of a reply: only a single call can be deferred`,
    );
    return undefined;
  }
  endWith(live, signal, { status: 'completed', result: '', deferredToolUse: useOf(call) });
  return 'deferred';
}

/**
 * End the agent if the call of an unknown tool was deferred by an earlier run: the tool may be there in the next one.
 *
 * @returns whether it was
 */
export async function endIfUnavailable(
  { stepContext }: { readonly stepContext: AgentContext },
  live: LiveCall,
  call: Call,
): Promise<boolean> {
  const key = hookKey('PreToolUse', call.block.id);
  const never = (): Promise<ToolUseAdvice> => Promise.reject(new Error('It is journaled.'));
  let wasDeferred = false;
  while (stepContext.isDone(key)) {
    const { deferral } = await stepContext.step(key, never, { isHarmless: true });
    wasDeferred = deferral !== undefined;
  }
  if (!wasDeferred) return false;
  const { name } = call.block;
  const failure: Failure = {
    code: 'DEFERRED_TOOL_UNAVAILABLE',
    message: `The deferred call cannot continue: there is no tool "${name}" now. Resume again when it is there; the MCP server of a tool has to be connected.`,
    details: { deferredToolUse: useOf(call) },
  };
  endWith(live, call.controller.signal, { status: 'failed', failure });
  return true;
}

/** End the agent with an open call. If the agent is stopped before that, the call is cancelled like any other. */
function endWith(live: LiveCall, signal: AbortSignal, outcome: WorkOutcome): void {
  const cancel = (): void => live.send({ type: 'call.allowed' });
  live.tell({ type: 'turn.deferred', outcome });
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

function useOf({ block: { id, name, input } }: Call): DeferredToolUse {
  return { id, name, input: isRecord(input) ? input : {} };
}

/** The whole reply of a call; undefined if it does not come. */
async function replyOf(
  { conversation }: Pick<DecideOwners['caller'], 'conversation'>,
  { block }: Call,
  signal: AbortSignal,
): Promise<AssistantMessage | undefined> {
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  while (!signal.aborted) {
    const newest = conversation.messages().at(-1);
    if (newest?.role === 'assistant' && toolUsesOf(newest).some(({ id }) => id === block.id))
      return newest;
    await Promise.race([conversation.nextReply(), aborted]);
  }
  return undefined;
}
