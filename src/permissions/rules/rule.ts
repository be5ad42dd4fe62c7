import {
  PERMISSION_RULE_SOURCES,
  type PermissionBehavior,
  type PermissionRule,
  type PermissionRuleSource,
  type PermissionRuleValue,
  type ToolPermissionContext,
  type ToolPermissionRulesBySource,
} from '../../core/permission-types.js';

export type ParsedRule =
  | { readonly ok: true; readonly value: PermissionRuleValue }
  /** `message` names the problem and what would work. */
  | { readonly ok: false; readonly message: string };

const TOOL_NAME = /^[A-Za-z0-9_*][\w*.:@/-]*$/;

/** Read `Tool` or `Tool(content)`. The content ends at the last character, so it may hold parentheses itself. */
export function parseRule(text: string): ParsedRule {
  const rule = text.trim();
  if (rule === '') return bad('A permission rule is empty. Write a tool name, as in "Read".');
  const open = rule.indexOf('(');
  const toolName = open < 0 ? rule : rule.slice(0, open);
  if (toolName === '') {
    return bad(`The permission rule "${rule}" names no tool. Write the tool first: "Bash${rule}".`);
  }
  if (!TOOL_NAME.test(toolName)) {
    return bad(
      `"${toolName}" in the permission rule "${rule}" is not a tool name. Write "Tool" or "Tool(content)".`,
    );
  }
  if (open < 0) return { ok: true, value: { toolName } };
  if (!rule.endsWith(')')) {
    return bad(`The permission rule "${rule}" has a "(" and does not end with ")".`);
  }
  const ruleContent = rule.slice(open + 1, -1);
  if (ruleContent.trim() === '') {
    return bad(
      `The permission rule "${rule}" has nothing between its parentheses. Write "${toolName}" to match every use.`,
    );
  }
  return { ok: true, value: { toolName, ruleContent } };
}

/** The inverse of {@link parseRule}. */
export function formatRule({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

/** The name of each source for people. */
export const SOURCE_LABELS = {
  policySettings: 'managed settings',
  flagSettings: '--settings',
  cliArg: 'the command line',
  command: 'a command',
  session: 'this session',
  localSettings: 'local settings',
  projectSettings: 'project settings',
  userSettings: 'user settings',
} as const satisfies Record<PermissionRuleSource, string>;

/** `Bash(rm *) (project settings)`: a rule as people and models see it. */
export function describeRule(rule: PermissionRule): string {
  return `${formatRule(rule.value)} (${SOURCE_LABELS[rule.source]})`;
}

/** The rules by source with this `behavior`. */
export function rulesBySource(
  context: ToolPermissionContext,
  behavior: PermissionBehavior,
): ToolPermissionRulesBySource {
  switch (behavior) {
    case 'allow':
      return context.alwaysAllowRules;
    case 'deny':
      return context.alwaysDenyRules;
    case 'ask':
      return context.alwaysAskRules;
    default:
      return behavior satisfies never;
  }
}

/**
 * Every rule of one behavior, strongest source first. A malformed rule that denies or asks matches its whole tool, so
 * that it protects at least as much; a malformed rule that allows is ignored.
 */
export function rulesOf(
  context: ToolPermissionContext,
  behavior: PermissionBehavior,
): readonly PermissionRule[] {
  const bySource = rulesBySource(context, behavior);
  const rules: PermissionRule[] = [];
  for (const source of PERMISSION_RULE_SOURCES) {
    if (isIdle(context, behavior, source)) continue;
    for (const text of bySource[source] ?? []) {
      const parsed = parseRule(text);
      if (parsed.ok) rules.push({ source, behavior, value: parsed.value });
      else if (behavior !== 'allow') {
        const toolName = text.split('(')[0]?.trim() || '*';
        rules.push({ source, behavior, value: { toolName } });
      }
    }
  }
  return rules;
}

/** Rules that allow have no effect if only those of managed settings count. `command` has what Troupe itself allows. */
export function isIdle(
  { allowsManagedRulesOnly = false }: ToolPermissionContext,
  behavior: PermissionBehavior,
  source: PermissionRuleSource,
): boolean {
  return (
    allowsManagedRulesOnly &&
    behavior === 'allow' &&
    source !== 'policySettings' &&
    source !== 'command'
  );
}

function bad(message: string): ParsedRule {
  return { ok: false, message };
}
