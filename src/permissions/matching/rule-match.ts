import type { PermissionRule } from '../../core/permission-types.js';
import type { CompiledRule, CompiledRules } from '../rules/compiled-rules.js';
import type { ToolFacts } from '../facts/facts.js';
import { normalisePath } from '../paths/normalise.js';
import type { PathFact, Place, ShellPath } from '../paths/path-fact.js';
import { isInFolders, spreadOut } from '../paths/path-in-folders.js';
import {
  findCommandText,
  matchesCommandPattern,
  mayMatchCommandPattern,
} from '../shell/texts/command-pattern.js';
import { mayName } from '../shell/overlong.js';
import type { ShellAnalysis, ShellCommand } from '../shell/effects/shell-analysis.js';
import { namesFor } from '../rules/tool-aliases.js';
import { matchesName } from '../rules/target-name.js';
import { matchesToolName } from '../rules/tool-name.js';
import { allowsScript, findScriptPart } from '../rules/script-rules.js';
import { domainPatternOf, matchesDomain } from '../web/domain-pattern.js';
import type { WebFact } from '../web/web-fact.js';
import { matchesWildcard } from '../../core/text/wildcard.js';

export type RuleMatch = {
  readonly rule: PermissionRule;
  /** The command or path that the rule matched, if the rule has a content. */
  readonly matched?: string;
};

/**
 * Find the first rule that denies or asks for this tool call. One matching part is enough: any command anywhere in a
 * command line, either spelling of any path.
 */
export function findStrictRule(
  rules: readonly CompiledRule[],
  facts: ToolFacts,
): RuleMatch | undefined {
  const matches = preparePermissionMatcher(facts);
  for (const compiled of rules) {
    const matched = matchStrict(compiled, facts, matches);
    if (matched !== undefined) return matched;
  }
  return undefined;
}

function matchStrict(
  compiled: CompiledRule,
  facts: ToolFacts,
  matches: PermissionMatcher,
): RuleMatch | undefined {
  const { rule } = compiled;
  const content = rule.value.ruleContent;
  if (namesTool(rule, facts)) {
    if (content === undefined || content === '*') return { rule };
    const matched = matches(content);
    if (matched !== undefined) return { rule, matched };
  }
  const texts = facts.target?.kind === 'shell' ? facts.target.analysis.overlongTexts : undefined;
  if (texts !== undefined) return matchOverlong(rule, facts, texts);
  const given = findGiven(compiled, facts);
  return given === undefined ? undefined : { rule, matched: given };
}

/** Match a command line that was not parsed: the text of the rule occurs anywhere in it. */
function matchOverlong(
  rule: PermissionRule,
  facts: ToolFacts,
  texts: readonly string[],
): RuleMatch | undefined {
  const { toolName, ruleContent = '' } = rule.value;
  const isPath = toolName === 'Edit' || (toolName === 'Read' && rule.behavior === 'deny');
  if (!isPath && !namesTool(rule, facts)) return undefined;
  const isThere = mayName(ruleContent, texts, isPath ? 'path' : 'command');
  return isThere ? { rule, matched: ruleContent } : undefined;
}

/** The part of a tool call that the content of a rule that denies or asks matches; undefined if nothing matches. */
export type PermissionMatcher = (content: string) => string | undefined;

/** Match rules that name the tool itself. Rules for Read and Edit match paths, whatever tool touches them. */
export function preparePermissionMatcher(facts: ToolFacts): PermissionMatcher {
  return (content) =>
    matchesByItself(content, facts) || matchesParameter(content, facts)
      ? content
      : matchTarget(content, facts);
}

function matchTarget(content: string, { target }: ToolFacts): string | undefined {
  switch (target?.kind) {
    case 'shell':
      return findCommandText(content, target.analysis.denyTexts);
    case 'name':
      return matchesName(content, target) ? target.name : undefined;
    case 'script':
      return findScriptPart(content, target.command);
    case 'web':
      return coversHost(content, target.request) ? target.request.host : undefined;
    case 'paths':
    case undefined:
      return undefined;
    default:
      return target satisfies never;
  }
}

/** A rule without content, or one for everything, that names the tool itself. For a path `*` is a normal pattern. */
export function findToolRule(
  rules: readonly CompiledRule[],
  facts: ToolFacts,
): PermissionRule | undefined {
  const isEverything = (content: string | undefined): boolean =>
    content === undefined || (content === '*' && facts.target?.kind !== 'paths');
  return rules.find(({ rule }) => namesTool(rule, facts) && isEverything(rule.value.ruleContent))
    ?.rule;
}

/** The rule that allows a path: both of its spellings must match. */
export function findPathRule(
  rules: readonly CompiledRule[],
  path: PathFact,
  place: Place,
): PermissionRule | undefined {
  const { resolved } = path;
  if (resolved === undefined) return undefined;
  return rules.find(
    (compiled) =>
      compiled.rule.value.toolName === (path.access === 'read' ? 'Read' : 'Edit') &&
      compiled.pathPattern().matches(path.lexical, place) &&
      compiled.pathPattern().matches(resolved, place),
  )?.rule;
}

/**
 * The rule that allows the target of a tool by name (a kind of agent, a domain), or by one of the tool's parameters.
 */
export function findNameRule(
  rules: readonly CompiledRule[],
  facts: ToolFacts,
): PermissionRule | undefined {
  return rules.find(({ rule }) => {
    const content = rule.value.ruleContent;
    if (content === undefined || !namesTool(rule, facts)) return false;
    if (facts.target?.kind === 'script') return allowsScript(content, facts.target.command);
    if (facts.target?.kind === 'name' && matchesName(content, facts.target)) return true;
    if (facts.target?.kind === 'web' && coversHost(content, facts.target.request)) return true;
    return matchesByItself(content, facts) || matchesParameter(content, facts);
  })?.rule;
}

/** The rules that name the tool of a call. */
export function rulesFor(
  facts: ToolFacts,
  rules: readonly CompiledRule[],
): readonly CompiledRule[] {
  return rules.filter(({ rule }) => namesTool(rule, facts));
}

/**
 * The rule that allows one command of a command line, in any of its texts. A command that is filled in at run time must
 * match a rule up to the rule's only `*`, which ends it.
 *
 * @param rules rules that name the tool
 */
export function findCommandRule(
  rules: readonly CompiledRule[],
  { allowTexts, possibleTexts, needsExactRule }: ShellCommand,
): PermissionRule | undefined {
  return rules.find(({ rule }) => {
    const content = rule.value.ruleContent ?? '*';
    if (needsExactRule && content.includes('*')) return false;
    if (possibleTexts !== undefined && /\*./s.test(content)) return false;
    return allowTexts.some((text) => matchesCommandPattern(content, text));
  })?.rule;
}

/**
 * The rule that denies or asks, and may match a command once its parameters are filled in: a rule for commands that it
 * may then be, or for any files.
 */
export function findRuleBehindParameters(
  rules: readonly CompiledRule[],
  facts: ToolFacts,
  { possibleTexts = [], mayOpenAnyFile }: ShellCommand,
): PermissionRule | undefined {
  return rules.find(({ rule }) => {
    const { toolName, ruleContent } = rule.value;
    if (toolName === 'Read' || toolName === 'Edit') return mayOpenAnyFile === true;
    if (ruleContent === undefined || !namesTool(rule, facts)) return false;
    return possibleTexts.some((text) => mayMatchCommandPattern(ruleContent, text));
  })?.rule;
}

/**
 * The rule that denies or asks, and may match the unknown part of a command line: rules for commands and files if the
 * line cannot be analysed, rules for files if a target is only known at run time.
 */
export function findRuleForUnknown(
  rules: readonly CompiledRule[],
  { problem, commands, hasUnseenPaths }: ShellAnalysis,
  facts: ToolFacts,
): PermissionRule | undefined {
  const hasOpenTarget =
    hasUnseenPaths ||
    commands.some(
      ({ hasOpenTarget: isOpen, paths, redirects }) =>
        isOpen === true || [...paths, ...redirects].some(({ resolved }) => resolved === undefined),
    );
  if (problem === undefined && !hasOpenTarget) return undefined;
  return rules.find(({ rule }) => {
    const { toolName } = rule.value;
    if (toolName === 'Read' || toolName === 'Edit') return true;
    return problem !== undefined && namesTool(rule, facts);
  })?.rule;
}

type NamedTool = Pick<ToolFacts, 'toolName' | 'aliases'>;

/** The contents of all rules that name a tool, for a tool with its own matcher. */
export function contentsFor(tool: NamedTool, rules: CompiledRules): readonly string[] {
  const contents = [...rules.deny, ...rules.ask, ...rules.allow].flatMap(({ rule }) => {
    const { ruleContent } = rule.value;
    return ruleContent !== undefined && namesTool(rule, tool) ? [ruleContent] : [];
  });
  return [...new Set(contents)];
}

function namesTool({ behavior, value }: PermissionRule, { toolName, aliases = [] }: NamedTool) {
  const names = namesFor(behavior, { name: toolName, aliases });
  return names.some((name) => matchesToolName(value.toolName, name, behavior));
}

/** `Edit` rules cover every write, `Read` rules every read. A rule that denies reading denies writing too. */
function governs(
  { behavior, value: { toolName } }: PermissionRule,
  path: Pick<PathFact, 'access' | 'isSource'>,
): boolean {
  if (toolName === 'Edit') return path.access === 'write' && path.isSource !== true;
  const isRead = path.access === 'read' || path.isSource === true;
  return toolName === 'Read' && (isRead || behavior === 'deny');
}

/** The first path, as given, that a rule for paths matches in one of its spellings. */
function findGiven(compiled: CompiledRule, facts: ToolFacts): string | undefined {
  const { rule } = compiled;
  if (rule.value.toolName !== 'Read' && rule.value.toolName !== 'Edit') return undefined;
  const { place } = facts;
  const known = new Map<readonly string[], (name: string) => boolean>();
  const matcherIn = (folders: readonly string[]): ((name: string) => boolean) => {
    const found = known.get(folders) ?? compiled.pathPattern().matcherIn(folders, place);
    known.set(folders, found);
    return found;
  };
  for (const path of pathsOf(facts)) {
    if (!isInFolders(path)) {
      if (governs(rule, path) && matchesEitherSpelling(compiled, path, place)) return path.given;
    } else if (
      governs(rule, { access: path.access, ...path.marks }) &&
      matcherIn(path.folders)(normalisePath(`/${path.name}`).slice(1))
    ) {
      return spreadOut([path]).find((one) => matchesEitherSpelling(compiled, one, place))?.given;
    }
  }
  return undefined;
}

function matchesEitherSpelling(compiled: CompiledRule, path: PathFact, place: Place): boolean {
  const pattern = compiled.pathPattern();
  return (
    pattern.matches(path.lexical, place) ||
    (path.resolved !== undefined && pattern.matches(path.resolved, place))
  );
}

function pathsOf({ target }: ToolFacts): readonly ShellPath[] {
  if (target?.kind === 'paths') return target.paths;
  return target?.kind === 'shell' ? [...target.analysis.paths, ...target.analysis.otherPaths] : [];
}

/** `domain:example.com`: the host of the request. */
function coversHost(content: string, { host }: WebFact): boolean {
  const pattern = domainPatternOf(content);
  return pattern !== undefined && host !== undefined && matchesDomain(pattern, host);
}

/** The result of the tool's own matcher. */
function matchesByItself(content: string, { matchedContents }: ToolFacts): boolean {
  return matchedContents?.includes(content) === true;
}

/** `run_in_background:true`: the value of one of the tool's own parameters. */
function matchesParameter(content: string, { input, target }: ToolFacts): boolean {
  const colon = content.indexOf(':');
  const key = content.slice(0, Math.max(0, colon));
  if (colon < 1 || !Object.hasOwn(input, key)) return false;
  const value = input[key];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return false;
  const pattern = content.slice(colon + 1);
  if (target?.kind === 'name' && target.parameter === key && matchesName(pattern, target))
    return true;
  return matchesWildcard(pattern, String(value));
}
