import { z } from 'zod';
import type { ElicitationRequest } from '../../../core/agents/elicitation.js';
import { messageOf } from '../../../core/errors.js';
import { fillForm } from '../../../tools/mcp/elicitation-form.js';
import type { Elicited } from '../../../tools/capabilities/server-requests.js';
import { mergeVerdict, type SaidByHook } from '../../hooks/hook-verdict.js';
import type { EventHooks } from '../../hooks/session-hooks.js';
import { hookCause, type HookedAgent } from '../parts/hook-subject.js';

/** Let hooks answer a question of a server in a person's place. @returns undefined if none does */
export async function answerByHook(
  hooks: EventHooks | undefined,
  caller: HookedAgent,
  request: ElicitationRequest,
  signal: AbortSignal,
): Promise<Elicited | undefined> {
  if (hooks?.hasAny('Elicitation') !== true) return undefined;
  const { serverName, message, mode, url, elicitationId, requestedSchema } = request;
  const own = {
    mcp_server_name: serverName,
    message,
    mode,
    ...(url !== undefined && { url }),
    ...(elicitationId !== undefined && { elicitation_id: elicitationId }),
    ...(requestedSchema !== undefined && { requested_schema: requestedSchema }),
  };
  return decisionOf(
    await hooks.run('Elicitation', hookCause(caller, [serverName]), own, signal),
    request,
  );
}

/** Let hooks replace or block the answer of a person. */
export async function judgeAnswer(
  hooks: EventHooks | undefined,
  caller: HookedAgent,
  request: ElicitationRequest,
  answer: Elicited,
  signal: AbortSignal,
): Promise<Elicited> {
  if (hooks?.hasAny('ElicitationResult') !== true) return answer;
  const { serverName, mode, elicitationId } = request;
  const { action, content } = answer;
  const own = {
    mcp_server_name: serverName,
    mode,
    action,
    ...(elicitationId !== undefined && { elicitation_id: elicitationId }),
    ...(content !== undefined && { content }),
  };
  const said = await hooks.run('ElicitationResult', hookCause(caller, [serverName]), own, signal);
  return decisionOf(said, request) ?? answer;
}

const Decision = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
});

/** An objection counts first, then the first decision. Values are checked by the form. */
function decisionOf(
  said: readonly SaidByHook[],
  { requestedSchema }: ElicitationRequest,
): Elicited | undefined {
  const { objections } = mergeVerdict(said);
  if (objections.length > 0) return { action: 'decline', reason: objections.join(' ') };
  for (const { name, output } of said) {
    const decision = Decision.safeParse(output.hookSpecificOutput).data;
    if (decision === undefined) continue;
    const { action, content = {} } = decision;
    if (action !== 'accept' || requestedSchema === undefined) return { action };
    try {
      return { action, content: fillForm(requestedSchema, content) };
    } catch (error) {
      const why = `The answer of the hook ${name} does not fit the form: ${messageOf(error)}.`;
      return { action: 'decline', reason: why };
    }
  }
  return undefined;
}
