import type { ToolUsePermissions } from '../tool-context-groups.js';

/** Why plan mode cannot be entered or left here, as a message for the model. */
export function findPlanModeProblem(
  toolName: 'EnterPlanMode' | 'ExitPlanMode',
  { current, update }: ToolUsePermissions,
): string | undefined {
  if (current === undefined || update === undefined)
    return `${toolName}: only the main agent can do this. Report your plan to the agent that started you.`;
  const { mode, shouldAvoidPermissionPrompts } = current();
  if (toolName === 'ExitPlanMode')
    return mode === 'plan'
      ? undefined
      : `ExitPlanMode: the session is not in plan mode, its mode is ${mode}. Do the work; no plan needs approval.`;
  if (mode === 'plan') return 'EnterPlanMode: the session is in plan mode already.';
  return mode === 'dontAsk' || shouldAvoidPermissionPrompts === true
    ? 'EnterPlanMode: no approver is connected, so no plan could be approved. Do the work.'
    : undefined;
}
