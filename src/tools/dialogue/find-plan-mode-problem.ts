import type { ToolUseContext } from '../tool.js';

/** Why plan mode cannot be entered or left here, as a message for the model. */
export function findPlanModeProblem(
  toolName: 'EnterPlanMode' | 'ExitPlanMode',
  { getAppState, updatePermissions }: ToolUseContext,
): string | undefined {
  if (getAppState === undefined || updatePermissions === undefined)
    return `${toolName}: only the main agent can do this. Report your plan to the agent that started you.`;
  const { mode, shouldAvoidPermissionPrompts } = getAppState().toolPermissionContext;
  if (toolName === 'ExitPlanMode')
    return mode === 'plan'
      ? undefined
      : `ExitPlanMode: the session is not in plan mode, its mode is ${mode}. Do the work; no plan needs approval.`;
  if (mode === 'plan') return 'EnterPlanMode: the session is in plan mode already.';
  return mode === 'dontAsk' || shouldAvoidPermissionPrompts === true
    ? 'EnterPlanMode: no approver is connected, so no plan could be approved. Do the work.'
    : undefined;
}
