import type {
  AdditionalWorkingDirectory,
  PermissionBehavior,
  PermissionMode,
  ToolPermissionContext,
  ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import { applyPermissionUpdate } from './apply-update.js';

/**
 * Make the permissions that a session starts with. In the mode `auto`, rules that allow anything at all are set aside.
 *
 * @param parts.directories folders beside `cwd`, absolute; the last entry of a folder counts
 */
export function createPermissionContext({
  mode,
  rules,
  directories,
  isBypassAvailable,
  isAutoAvailable,
  allowsManagedRulesOnly = false,
}: {
  readonly mode: PermissionMode;
  readonly rules: { readonly [Behavior in PermissionBehavior]: ToolPermissionRulesBySource };
  readonly directories: readonly AdditionalWorkingDirectory[];
  readonly isBypassAvailable: boolean;
  readonly isAutoAvailable: boolean;
  readonly allowsManagedRulesOnly?: boolean;
}): ToolPermissionContext {
  const context: ToolPermissionContext = {
    mode: 'default',
    additionalWorkingDirectories: Object.fromEntries(directories.map((one) => [one.path, one])),
    alwaysAllowRules: rules.allow,
    alwaysDenyRules: rules.deny,
    alwaysAskRules: rules.ask,
    isBypassPermissionsModeAvailable: isBypassAvailable,
    ...(isAutoAvailable ? { isAutoModeAvailable: true } : {}),
    ...(allowsManagedRulesOnly ? { allowsManagedRulesOnly } : {}),
  };
  return applyPermissionUpdate(context, { type: 'setMode', mode, destination: 'session' });
}
