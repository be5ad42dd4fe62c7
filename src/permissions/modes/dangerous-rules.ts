import type {
  PermissionRuleSource,
  ToolPermissionContext,
  ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import { RUN_SHELLS } from '../rules/tool-aliases.js';
import { parseRule } from '../rules/rule.js';

/** Programs whose arguments are a program: a wildcard anywhere behind them allows anything. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'eval exec source . command env xargs sudo doas su ssh nohup timeout time nice setsid watch find awk gawk sed npx bunx uvx pipx vim vi'.split(
    ' ',
  ),
);

/** Programs that run what their first argument names: a wildcard as that argument allows anything. */
const RUNNERS: ReadonlySet<string> = new Set(
  'python node deno bun tsx ruby perl php lua java bash sh zsh dash ksh fish npm yarn pnpm make cargo go git docker podman kubectl'.split(
    ' ',
  ),
);

/** Whether an allow rule would run arbitrary code, or start agents, without a check. */
export function isDangerousInAuto(rule: string): boolean {
  const parsed = parseRule(rule);
  if (!parsed.ok) return false;
  const { toolName, ruleContent } = parsed.value;
  if (toolName === '*') return true;
  if (toolName === 'Agent' || toolName === 'Task') return true;
  if (toolName === 'PowerShell') return ruleContent?.includes('*') ?? true;
  if (!RUN_SHELLS.has(toolName)) return false;
  if (ruleContent === undefined) return true;
  const star = ruleContent.search(/:?\*/);
  if (star === -1) return false; // this command and no other
  const fixed = ruleContent.slice(0, star);
  const [program = '', ...others] = fixed.trim().split(/\s+/);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === '' || name.includes('=')) return true;
  const isWhole = /\s/.test(fixed) || ruleContent.startsWith(':', star); // else `py*` is the beginning of a name
  if (!isWhole)
    return [...WRAPPERS, ...RUNNERS].some((one) => one.startsWith(withoutVersion(name)));
  if (WRAPPERS.has(name)) return true;
  if (!RUNNERS.has(withoutVersion(name))) return false;
  return others.length === 0 || RUNS_BY_SUBCOMMAND.test(others.join(' '));
}

/** `python3.12` is a `python`. */
function withoutVersion(name: string): string {
  return name.replace(/[\d.]+$/, '') || name;
}

/** `npm run *`, `git -c *`, `env A=1 *`: still anything. `npm test *` and `git log *` are not. */
const RUNS_BY_SUBCOMMAND = /^(-|\S+=|run\b|exec\b|dlx\b|x\b|start\b|eval\b|config\b)/;

/**
 * Enter `auto`: set aside the rules that would allow anything. Call this after each change of the rules in `auto` too.
 */
export function stripDangerousRules(context: ToolPermissionContext): ToolPermissionContext {
  const kept = filterRules(context.alwaysAllowRules, (rule) => !isDangerousInAuto(rule));
  const dangerous = filterRules(context.alwaysAllowRules, isDangerousInAuto);
  const strippedDangerousRules = joinRules(context.strippedDangerousRules ?? {}, dangerous);
  return { ...context, alwaysAllowRules: kept, strippedDangerousRules };
}

/** Leave `auto`: the rules set aside apply again. */
export function restoreDangerousRules(context: ToolPermissionContext): ToolPermissionContext {
  const { strippedDangerousRules, ...rest } = context;
  if (strippedDangerousRules === undefined) return context;
  return {
    ...rest,
    alwaysAllowRules: joinRules(rest.alwaysAllowRules, strippedDangerousRules),
  };
}

function filterRules(
  rules: ToolPermissionRulesBySource,
  keeps: (rule: string) => boolean,
): ToolPermissionRulesBySource {
  const entries = Object.entries(rules).map(([source, list]) => [source, list.filter(keeps)]);
  return Object.fromEntries(
    entries.filter(([, list]) => (list ?? []).length > 0),
  ) as ToolPermissionRulesBySource; // fromEntries widens the keys
}

function joinRules(
  first: ToolPermissionRulesBySource,
  second: ToolPermissionRulesBySource,
): ToolPermissionRulesBySource {
  const joined: { [Source in PermissionRuleSource]?: readonly string[] } = { ...first };
  for (const [source, list] of Object.entries(second) as [
    PermissionRuleSource,
    readonly string[],
  ][])
    joined[source] = [...new Set([...(joined[source] ?? []), ...list])];
  return joined;
}
