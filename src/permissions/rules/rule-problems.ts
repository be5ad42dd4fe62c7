// Find rules that have no effect, or another effect than they seem to have, and describe them for people.
import { builtInAgentType } from '../../core/agents/agent-type.js';
import { nearestName } from '../../core/text/nearest-name.js';
import {
  PERMISSION_RULE_SOURCES,
  type PermissionBehavior,
  type PermissionRule,
  type PermissionRuleSource,
  type ToolPermissionContext,
} from '../../core/permission-types.js';
import { RULED_AS } from './path-rule.js';
import { formatRule, parseRule, rulesBySource, SOURCE_LABELS } from './rule.js';
import { matchesName } from './target-name.js';
import { inToolNames, matchesToolName } from './tool-name.js';

/** A rule as somebody wrote it, well formed or not. */
export type WrittenRule = {
  readonly source: PermissionRuleSource;
  readonly behavior: PermissionBehavior;
  readonly text: string;
};

/** Names that a rule may use. */
export type KnownNames = {
  /** Names of tools, with the older names that rules may still use. */
  readonly tools: readonly string[];
  /** Names of kinds of agents. If absent, rules for agents are not checked. */
  readonly agents?: readonly string[];
  /** Names of configured MCP servers. If absent, the servers of rules are not checked. */
  readonly servers?: readonly string[];
};

/** A rule and its problem: the words that follow the rule's name. */
export type RuleProblem<Rule extends WrittenRule = WrittenRule> = {
  readonly rule: Rule;
  readonly problem: string;
  /** The tool that was probably meant, if the rule names no known tool. */
  readonly meantTool?: string;
  /** The tool of the rule, if no tool has a similar name. */
  readonly strangeTool?: string;
  /** The tool of the rule, if Troupe does not have this published tool yet. */
  readonly missingTool?: string;
};

type ParsedRule = Pick<PermissionRule, 'behavior' | 'value'>;
type Problem = Omit<RuleProblem, 'rule'>;

/** Requests of MCP servers: rules name them like tools, with the server in parentheses. */
const REQUESTS_OF_SERVERS = ['Elicitation', 'McpSampling'] as const;

/** Published tools that users write rules for, whether Troupe has them or not. */
export const PUBLISHED_TOOLS: ReadonlySet<string> = new Set(
  [
    'WebFetch WebSearch NotebookEdit NotebookRead Skill SlashCommand MultiEdit LS LSP ToolSearch Monitor',
    'ListMcpResourcesTool ReadMcpResourceTool EnterWorktree ExitWorktree Config TaskCreate TaskGet TaskList TaskUpdate',
  ].flatMap((line) => line.split(' ')),
);

/** Troupe's own tools without a path, a command, an address or a name that the content of a rule is compared with. */
export const TOOLS_WITHOUT_TARGET: ReadonlySet<string> = new Set(
  [
    'AskUserQuestion BashOutput CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree KillShell',
    'ListMcpResources RemoteTrigger Sandbox Sleep TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate',
    'TeamDelete TodoWrite ToolSearch WebSearch Workflow',
  ].flatMap((line) => line.split(' ')),
);

/** Words for a rule without effect, by its behavior. */
export const EFFECTS = {
  allow: 'allows nothing',
  deny: 'denies nothing',
  ask: 'asks for nothing',
} as const satisfies Record<PermissionBehavior, string>;

/** Every rule of a context in the order allow, deny, ask; strongest source first. */
export function writtenRules(context: ToolPermissionContext): readonly WrittenRule[] {
  return (['allow', 'deny', 'ask'] as const).flatMap((behavior) =>
    PERMISSION_RULE_SOURCES.flatMap((source) =>
      (rulesBySource(context, behavior)[source] ?? []).map((text) => ({ source, behavior, text })),
    ),
  );
}

/** Find the rules that cannot be read, that have no effect, or that have another effect than they seem to have. */
export function findRuleProblems<Rule extends WrittenRule>(
  rules: readonly Rule[],
  known: KnownNames,
): readonly RuleProblem<Rule>[] {
  return rules.flatMap((rule) => {
    const parsed = parseRule(rule.text);
    const problem = parsed.ok
      ? findRuleProblem({ behavior: rule.behavior, value: parsed.value }, known)
      : { problem: whyBroken(rule.behavior, parsed.message) };
    return problem === undefined ? [] : [{ rule, ...problem }];
  });
}

/** Describe one problem in one line for people. */
export function tellRuleProblem({ rule, problem }: RuleProblem, place: string): string {
  return `The rule ${rule.text} (${place}) ${problem}`;
}

/** The problem of one well-formed rule; undefined without a problem. */
export function findRuleProblem(rule: ParsedRule, known: KnownNames): Problem | undefined {
  const problem = whyPathIsNotConsulted(rule) ?? whyGlobIsIgnored(rule);
  if (problem !== undefined) return { problem };
  const noTool = whyNoToolMatches(rule, known);
  if (noTool !== undefined) return noTool;
  const other =
    whyNothingIsCompared(rule) ?? whyNoAgentMatches(rule, known.agents) ?? whyBlanksCount(rule);
  return other === undefined ? undefined : { problem: other };
}

/**
 * Describe each problem in one line for people, each line once. Missing published tools share one line; the last line
 * lists the known tools.
 *
 * @param placeOf the place of a rule, such as `project settings, /p/.claude/settings.json:4`
 */
export function tellRuleProblems<Rule extends WrittenRule>(
  problems: readonly RuleProblem<Rule>[],
  { tools }: KnownNames,
  placeOf: (rule: Rule) => string = ({ source }) => SOURCE_LABELS[source],
): readonly string[] {
  const missing = [...new Set(problems.flatMap(({ missingTool }) => missingTool ?? []))];
  const lines = problems
    .filter(({ missingTool }) => missingTool === undefined)
    .map((problem) => tellRuleProblem(problem, placeOf(problem.rule)));
  return [
    ...new Set(lines),
    ...(missing.length === 0
      ? []
      : [`Rules for ${missing.join(', ')} have no effect: Troupe has no such tool yet.`]),
    ...(problems.some(({ strangeTool }) => strangeTool !== undefined)
      ? [`Tools that rules can name: ${tools.join(', ')}.`]
      : []),
  ];
}

function whyBroken(behavior: PermissionBehavior, message: string): string {
  const effect =
    behavior === 'allow'
      ? EFFECTS.allow
      : `counts for every use of its tool, since it cannot be read`;
  return `${effect}: ${message}`;
}

function whyPathIsNotConsulted({ behavior, value }: ParsedRule): string | undefined {
  const { toolName, ruleContent } = value;
  const governing = RULED_AS.get(toolName);
  if (governing === undefined || ruleContent === undefined) return undefined;
  if (ruleContent === '*' && behavior !== 'allow') return undefined; // the whole tool
  if (/^\w{2,}:/.test(ruleContent)) return undefined; // the value of a parameter
  const instead = formatRule({ toolName: governing, ruleContent });
  return `has no effect: paths are looked up in rules for Read and Edit only. Write ${instead}.`;
}

function whyGlobIsIgnored({ behavior, value: { toolName } }: ParsedRule): string | undefined {
  if (behavior !== 'allow' || !toolName.includes('*')) return undefined;
  if (/^mcp__[^*]+__/.test(toolName)) return undefined;
  return 'allows nothing: a rule that allows names its tool in full, and "*" counts only behind "mcp__server__".';
}

function whyNoToolMatches(
  { behavior, value: { toolName } }: ParsedRule,
  { tools, servers }: KnownNames,
): Problem | undefined {
  if (toolName.startsWith('mcp__'))
    return whyMisspelt(behavior, toolName) ?? whyNoServerMatches(behavior, toolName, servers);
  const names = [...tools, ...REQUESTS_OF_SERVERS];
  if (names.some((name) => matchesToolName(toolName, name, behavior))) return undefined;
  const effect = EFFECTS[behavior];
  if (PUBLISHED_TOOLS.has(toolName))
    return { problem: `${effect}: Troupe has no ${toolName} yet.`, missingTool: toolName };
  const nearest = nearestName(toolName, names);
  const problem = `${effect}: no tool is called "${toolName}".`;
  return nearest === undefined
    ? { problem, strangeTool: toolName }
    : { problem: `${problem} Did you mean ${nearest}?`, meantTool: nearest };
}

/** The tools of MCP servers are unknown before a run; only the spelling of their names is known. */
function whyMisspelt(behavior: PermissionBehavior, toolName: string): Problem | undefined {
  const spelled = inToolNames(toolName);
  if (behavior !== 'allow' || spelled === toolName) return undefined;
  const problem = `${EFFECTS.allow}: names of tools have "_" for such characters. Write ${spelled}.`;
  return { problem };
}

/** A rule that allows may be for a server of another project: it is reported only if its server is misspelt. */
function whyNoServerMatches(
  behavior: PermissionBehavior,
  toolName: string,
  servers: readonly string[] | undefined,
): Problem | undefined {
  const [, server = ''] = toolName.split('__');
  if (servers === undefined || server === '' || server.includes('*')) return undefined;
  const spelled = (name: string): string => inToolNames(name);
  if (servers.some((name) => spelled(name) === spelled(server))) return undefined;
  const nearest = nearestName(server, servers, server.length > 4 ? 2 : 1);
  if (nearest === undefined && behavior === 'allow') return undefined;
  const problem = `${EFFECTS[behavior]}: no MCP server is called "${server}".`;
  return { problem: nearest === undefined ? problem : `${problem} Did you mean ${nearest}?` };
}

function whyNothingIsCompared({ behavior, value }: ParsedRule): string | undefined {
  const { toolName, ruleContent = '*' } = value;
  if (!TOOLS_WITHOUT_TARGET.has(toolName) || ruleContent === '*') return undefined;
  if (/^\w{2,}:/.test(ruleContent)) return undefined; // the value of a parameter
  return `${EFFECTS[behavior]}: ${toolName} has nothing that "${ruleContent}" is compared with. Write ${toolName}, or a parameter with its value: ${toolName}(NAME:VALUE).`;
}

function whyNoAgentMatches(
  { behavior, value: { toolName, ruleContent } }: ParsedRule,
  agents: readonly string[] | undefined,
): string | undefined {
  if (agents === undefined || (toolName !== 'Agent' && toolName !== 'Task')) return undefined;
  if (ruleContent === undefined || /[*:\s]/.test(ruleContent)) return undefined; // a wildcard, a parameter
  const isMeant = (name: string): boolean =>
    matchesName(ruleContent, { name, ignoresCase: builtInAgentType(name) !== undefined });
  if (agents.some(isMeant)) return undefined;
  const nearest = nearestName(ruleContent, agents);
  const hint =
    nearest === undefined ? `There are ${agents.join(', ')}.` : `Did you mean ${nearest}?`;
  return `${EFFECTS[behavior]}: no agent is called "${ruleContent}". ${hint}`;
}

function whyBlanksCount({ value: { toolName, ruleContent } }: ParsedRule): string | undefined {
  if (ruleContent === undefined || ruleContent === ruleContent.trim()) return undefined;
  const meant = formatRule({ toolName, ruleContent: ruleContent.trim() });
  return `starts or ends with a blank, which has to be matched too. Write ${meant}.`;
}
