import type { AgentDefinition } from '../../../core/agents/agent-definition.js';
import { findAgentDefinition, isSameAgentType, MAIN } from '../../../core/agents/agent-type.js';
import { UsageError } from '../../../core/errors.js';
import { unknownAgent } from '../../../core/agents/unknown-agent.js';
import type { PermissionMode, ToolPermissionContext } from '../../../core/permission-types.js';
import { applyPermissionUpdate } from '../../../permissions/modes/apply-update.js';
import type { Tool } from '../../../tools/tool.js';
import { onlyUnknownTools } from '../../agents/tools-of-agent.js';
import type { ResumedSession } from '../../agents/session/resumed-session.js';

/**
 * The main agent: a definition, or an agent without its own prompt. A resumed session keeps its agent.
 *
 * @param tools the tools of the program
 * @throws UsageError
 */
export function definitionFor(
  { agent }: { readonly agent?: string },
  resumed: Pick<ResumedSession, 'agentType'> | undefined,
  definitions: readonly AgentDefinition[],
  tools: readonly Tool[],
): AgentDefinition {
  const own: AgentDefinition = { name: MAIN, description: 'The session itself.', prompt: '' };
  if (resumed !== undefined && agent !== undefined && !isSameAgentType(agent, resumed.agentType))
    throw new UsageError(
      `The session was begun with the agent "${resumed.agentType}" and keeps it: "${agent}" cannot replace it.`,
    );
  const name = resumed?.agentType ?? agent;
  if (name === undefined) return own;
  const definition = findAgentDefinition(definitions, name);
  if (definition !== undefined) {
    const unknown = resumed === undefined ? onlyUnknownTools(definition, tools) : [];
    if (unknown.length === 0) return definition;
    throw new UsageError(`The agent "${name}" names no known tool: ${unknown.join(', ')}.`);
  }
  if (resumed !== undefined && name === MAIN) return own;
  throw unknownAgent(
    name,
    definitions.map((one) => one.name),
  );
}

/**
 * The mode that the session is started with, or had: `bypassPermissions` and `auto` only if they are available now.
 *
 * @throws PermissionModeUnavailableError
 */
export function withMode(
  permissions: ToolPermissionContext,
  { permissionMode }: { readonly permissionMode?: PermissionMode },
  resumed: Pick<ResumedSession, 'permissionMode' | 'prePlanMode'> | undefined,
): ToolPermissionContext {
  const before = resumed?.permissionMode === 'plan' ? resumed.prePlanMode : undefined;
  if (permissionMode === undefined && before !== undefined)
    return inMode(inMode(permissions, before, false), 'plan', false);
  const mode = permissionMode ?? resumed?.permissionMode ?? permissions.mode;
  return inMode(permissions, mode, permissionMode !== undefined);
}

/** @param isRequired whether an unavailable mode is an error; otherwise it is ignored */
function inMode(
  permissions: ToolPermissionContext,
  mode: PermissionMode,
  isRequired: boolean,
): ToolPermissionContext {
  if (mode === permissions.mode) return permissions;
  const isMissing =
    (mode === 'bypassPermissions' && !permissions.isBypassPermissionsModeAvailable) ||
    (mode === 'auto' && permissions.isAutoModeAvailable !== true);
  if (isMissing && !isRequired) return permissions;
  return applyPermissionUpdate(permissions, { type: 'setMode', mode, destination: 'session' });
}
