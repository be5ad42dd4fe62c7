import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { PermissionRequest } from '../../../core/events.js';
import type { RequestId } from '../../../core/ids.js';
import type { PermissionDecision } from '../../../core/decision-types.js';
import { isClassifiable } from '../../../permissions/classifiable.js';
import { describeAllowedCommands } from '../../../permissions/describe-reason.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import { formatRule } from '../../../permissions/rules/rule.js';
import { describeUse, detailsOf, displayNameOf, says } from '../../../tools/calls/tool-answers.js';
import type { PermissionView } from '../parts/caller.js';
import type { Call } from '../calls/call.js';
import type { PermissionServices } from './permission-services.js';

/**
 * The permission request for one tool call, before it climbs. Allowed calls are also requested if the program wants
 * that.
 */
export function createAskRequest(
  requestId: RequestId,
  { block, tool, input, shownInput }: Pick<Call, 'block' | 'tool' | 'input' | 'shownInput'>,
  { facts, decision }: { readonly facts: ToolFacts; readonly decision: PermissionDecision },
  caller: AgentIdentity & PermissionView,
  {
    timers,
    classifierName,
    settings: { definitions, taskBudget },
  }: Pick<PermissionServices, 'timers' | 'classifierName' | 'settings'>,
): PermissionRequest {
  const at = timers.now();
  const ask = decision.behavior === 'ask' ? decision : undefined;
  const isChecked =
    classifierName !== undefined && isClassifiable(facts, caller.permissionContext());
  const displayName = tool === undefined ? undefined : displayNameOf(tool, input);
  const description = tool === undefined ? block.name : describeUse(tool, input);
  const { mode } = caller.permissionContext();
  const details = {
    ...describeAllowedCommands(decision.decisionReason),
    ...(tool === undefined ? {} : detailsOf(tool, input, { mode, definitions, taskBudget })),
  };
  return {
    type: 'permission.request',
    requestId,
    kind: tool?.askKind ?? 'permission',
    toolName: block.name,
    ...(displayName === undefined ? {} : { displayName }),
    toolUseId: block.id,
    input: shownInput,
    description,
    message: withDescription(
      ask?.message ?? `${block.name}: The program asks for approval of every tool call.`,
      description,
      { block, facts },
    ),
    suggestions: ask?.suggestions ?? [],
    ...(ask?.blockedPath === undefined ? {} : { blockedPath: ask.blockedPath }),
    ...(tool !== undefined && says(tool, 'isDestructive', input) ? { isDestructive: true } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(ask?.metadata === undefined ? {} : { metadata: ask.metadata }),
    ...(isChecked ? { pendingClassifierCheck: classifierName } : {}),
    facts,
    agentId: caller.id,
    agent: { id: caller.id, name: caller.name, type: caller.type, description: caller.description },
    taskId: caller.taskId,
    from: block.id,
    path: [{ actor: block.id, ...ruleOf(decision), verdict: 'asked', at }],
    at,
  };
}

/** A tool that touches neither files nor a shell describes its own call. */
function withDescription(
  message: string,
  description: string,
  { block, facts }: { readonly block: Call['block']; readonly facts: ToolFacts },
): string {
  if (facts.target !== undefined || facts.ownCheck.behavior === 'ask') return message;
  if (description === block.name) return message;
  const own = `${block.name}: `;
  return `${description}: ${message.startsWith(own) ? message.slice(own.length) : message}`;
}

/** The rule that asks, as written. */
function ruleOf({ decisionReason }: PermissionDecision): { readonly rule?: string } {
  return decisionReason?.type === 'rule' ? { rule: formatRule(decisionReason.rule.value) } : {};
}
