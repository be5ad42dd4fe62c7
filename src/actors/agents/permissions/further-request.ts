import { createRequestId } from '../../../core/ids.js';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import type { Call, LiveCall } from '../calls/call.js';
import { isSystem } from '../calls/synthetic-results.js';
import type { Caller } from '../parts/caller.js';
import { createAskRequest } from './ask-request.js';
import type { PermissionServices } from './permission-services.js';
import { createUseJudge } from './use-judge.js';

type Input = Readonly<Record<string, unknown>>;

/** A call that asks for more while it runs. */
export type FurtherAsker = {
  readonly caller: Caller;
  readonly services: PermissionServices;
  readonly live: LiveCall;
  readonly call: Call;
  readonly context: ToolUseContext;
};

/** The decision on a further use. */
export type FurtherDecision =
  /** `edited`: the input of the decision, if it has one, not yet parsed. */
  | { readonly behavior: 'allow'; readonly edited: Input | undefined }
  | {
      readonly behavior: 'deny';
      readonly message: string;
      /** Nobody was asked, or nobody was there. */
      readonly isUnasked: boolean;
      readonly interrupt: boolean;
    };

/**
 * Decide on the use of a tool in the middle of a call: by the rules, or by a request that climbs the actor tree like the
 * call's own. Rejects with the signal's reason if the call or the signal ends first; the request is withdrawn then.
 */
export async function askFurther(
  asker: FurtherAsker,
  tool: Tool,
  input: Input,
  signal: AbortSignal,
): Promise<FurtherDecision> {
  const { caller, services, live, call, context } = asker;
  const { audit, settings, bashGrammar } = services;
  const use = { tool, input, context };
  const judge = createUseJudge(caller, bashGrammar);
  const { facts, decision } = await judge.judge(use);
  signal.throwIfAborted();
  const isAsked =
    decision.behavior === 'ask' || (settings.requireCanUseTool && decision.behavior === 'allow');
  const requestId = isAsked ? createRequestId() : undefined;
  audit.judged(caller, { block: call.block, tool, input }, decision, requestId);
  if (decision.behavior === 'deny') return { ...decision, isUnasked: true, interrupt: false };
  if (requestId === undefined) return { behavior: 'allow', edited: undefined };
  const block = { ...call.block, name: tool.name };
  const asked = { block, tool, input, shownInput: input };
  const request = createAskRequest(requestId, asked, { facts, decision }, caller, services);
  const decided = await decisionOn(request, live, call, signal).catch((error: unknown) => {
    audit.cancelled(request);
    throw error;
  });
  audit.answered(caller, request, decided);
  const { answer } = decided;
  if (answer.behavior === 'deny') {
    const { message = '', interrupt = false } = answer;
    return { behavior: 'deny', message, isUnasked: isSystem(decided), interrupt };
  }
  const { decision: now } = await judge.judge(use); // the rules may have changed
  if (now.behavior === 'deny') return { ...now, isUnasked: true, interrupt: false };
  return { behavior: 'allow', edited: answer.updatedInput };
}

/** Send a request up, and wait for its decision. */
function decisionOn(
  request: PermissionRequest,
  live: LiveCall,
  call: Call,
  signal: AbortSignal,
): Promise<PermissionDecided> {
  const { requestId } = request;
  const open = (call.further ??= new Map());
  return new Promise((resolve, reject) => {
    const withdraw = (): void => {
      open.delete(requestId);
      live.tell({ type: 'permission.cancel', requestId });
      reject(signal.reason as Error);
    };
    open.set(requestId, (decided) => {
      open.delete(requestId);
      signal.removeEventListener('abort', withdraw);
      resolve(decided);
    });
    signal.addEventListener('abort', withdraw, { once: true });
    live.tell(request);
  });
}
