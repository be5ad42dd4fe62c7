import type { PermissionDecisionReason, PermissionResult } from '../core/decision-types.js';
import { describeRule } from './rules/rule.js';

/** The reason of a decision in one line for people. */
export function describeReason(reason: PermissionDecisionReason | undefined): string {
  if (reason === undefined) return 'no reason was given';
  switch (reason.type) {
    case 'rule':
      return `the rule ${describeRule(reason.rule)}`;
    case 'mode':
      return `the mode ${reason.mode}`;
    case 'subcommandResults':
      return describeParts(reason.reasons);
    case 'permissionPromptTool':
      return `the tool ${reason.permissionPromptToolName} answered`;
    case 'hook':
      return `the hook ${reason.hookName}${reason.reason === undefined ? '' : `: ${reason.reason}`}`;
    case 'asyncAgent':
      return `nobody could be asked: ${reason.reason}`;
    case 'sandboxOverride':
      return reason.reason === 'excludedCommand'
        ? 'the command is one that runs outside the sandbox'
        : 'it wants to run outside the sandbox';
    case 'classifier':
      return `the classifier ${reason.classifier}: ${reason.reason}`;
    case 'workingDir':
    case 'safetyCheck':
    case 'other':
      return reason.reason;
    default:
      return reason satisfies never;
  }
}

/** Each command of a command line that would run without a request, by its number, with the rule or the reason. */
export function describeAllowedCommands(
  reason: PermissionDecisionReason | undefined,
): Readonly<Record<string, string>> {
  if (reason?.type !== 'subcommandResults') return {};
  const lines = Object.entries(reason.reasons).flatMap(([command, result], index) => {
    if (result.behavior !== 'allow') return [];
    const why = describeReason(result.decisionReason);
    return [[`Command ${index + 1}`, `${JSON.stringify(command)} is allowed: ${why}`] as const];
  });
  return Object.fromEntries(lines);
}

/** The commands that decide: those that are not allowed, or all if each one is allowed. */
function describeParts(reasons: { readonly [command: string]: PermissionResult }): string {
  const parts = Object.entries(reasons);
  const strict = parts.filter(([, { behavior }]) => behavior !== 'allow');
  return (strict.length > 0 ? strict : parts)
    .map(([command, result]) => {
      const reason = 'decisionReason' in result ? result.decisionReason : undefined;
      return `${JSON.stringify(command)}: ${describeReason(reason)}`;
    })
    .join('; ');
}
