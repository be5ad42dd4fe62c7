import { homedir } from 'node:os';
import { nameAndMessageOf } from '../../core/errors.js';
import type { PermissionAskDecision, PermissionResult } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../../permissions/rules/compiled-rules.js';
import type { TargetFacts, ToolFacts } from '../../permissions/facts/facts.js';
import { pathsToOverwrite, withOtherNames } from '../../permissions/facts/hard-links.js';
import { otherNamesOf } from '../../permissions/rules/tool-aliases.js';
import { contentsFor } from '../../permissions/matching/rule-match.js';
import { joinPath, normalisePath } from '../../permissions/paths/normalise.js';
import type { Place } from '../../permissions/paths/path-fact.js';
import type { GlobMatches } from '../../permissions/paths/expand-glob.js';
import {
  foldersToLookFor,
  globsToExpand,
  pathsToLookAt,
  pathsToResolve,
  treesToLookInto,
  withFolders,
  withGlobMatches,
  withKinds,
  withResolvedPaths,
  withTrees,
  type Tree,
} from '../../permissions/facts/resolve-target.js';
import { findGitProblem } from '../../git/find-git-problem.js';
import { whyOutsideSandbox } from '../../permissions/shell/excluded-command.js';
import { loadAnalysis } from '../../permissions/shell/load-analysis.js';
import type { AnyObject, PermissionTarget, Tool, ToolUseContext } from '../../tools/tool.js';
import type { BashGrammar } from '../../tools/shell/bash-grammar.js';
import { isRecord } from '../../core/json/is-record.js';
import { passThrough } from '../../tools/complete-tool.js';
import { atOnce, says } from '../../tools/calls/tool-answers.js';
import { resolveHost, type ResolveHost } from '../../tools/web/resolve-host.js';
import { hasOtherNames, holdsOtherNames } from './find-other-names.js';
import { lookIntoTree } from './look-into-tree.js';
import { ignoresCase, isEmpty, kindOf, matchesOf, resolvePath } from './path-facts.js';
import { readAddressFact } from './address-fact.js';

/**
 * Collect the facts for a decision on one tool call: the real paths, and the result of the tool's own check. Nothing is
 * remembered between calls. If a check fails, the call asks, and nothing overrides that.
 *
 * @param input parsed by the tool's schema.
 * @param bashGrammar called when a command line is judged.
 */
export function gatherFacts(
  tool: Tool,
  input: AnyObject['_output'],
  context: ToolUseContext,
  bashGrammar: BashGrammar,
  { rules, resolve = resolveHost }: WorldOptions = {},
): ToolFacts | Promise<ToolFacts> {
  const place = placeOf(context);
  const target = targetOf(tool, input);
  const toFacts = (said: PermissionResult, matched: Matched, world: World): ToolFacts => ({
    toolName: tool.name,
    aliases: otherNamesOf(tool),
    isReadOnly: says(tool, 'isReadOnly', input),
    requiresUserInteraction: needsPerson(tool),
    input,
    matchedContents: matched.contents,
    ownCheck: matched.failure ?? said,
    leavesSandbox: whyOutside(target, input, context),
    untrustedGit: undefined,
    ...world,
  });
  const checksNothing =
    tool.checkPermissions === passThrough && tool.preparePermissionMatcher === undefined;
  if (checksNothing && target === undefined) return toFacts(PASSES, {}, { place });
  return Promise.all([
    ownCheck(tool, input, context),
    matchByItself(tool, input, rules),
    target === undefined ? { place } : lookAround(target, place, context, { bashGrammar, resolve }),
  ]).then((found) => toFacts(...found));
}

const PASSES: PermissionResult = { behavior: 'passthrough' };

type World = Pick<ToolFacts, 'target' | 'place' | 'untrustedGit'>;
type Matched = {
  readonly contents?: readonly string[];
  readonly failure?: PermissionAskDecision;
};

/** The facts about the target of a call, and about the world around it. */
async function lookAround(
  named: PermissionTarget,
  place: Place,
  context: ToolUseContext,
  means: TargetMeans,
): Promise<World> {
  const target = await readTarget(named, place, means);
  const [seen, untrustedGit] = await Promise.all([
    lookAt(target, place, context),
    lookAtGit(target, context),
  ]);
  return { ...seen, untrustedGit };
}

/** Inspect a repository without running anything of it. */
async function lookAtGit(
  target: TargetFacts,
  { files: { cwd, outerRoots }, session: { isUntrusted, env = process.env } }: ToolUseContext,
): Promise<ToolFacts['untrustedGit']> {
  if (isUntrusted !== true || target.kind !== 'shell') return undefined;
  if (!target.analysis.commands.some(({ safeguard }) => safeguard?.git !== undefined))
    return undefined;
  const problem = await findGitProblem({ cwd, env, roots: outerRoots ?? [] });
  return problem === undefined ? {} : { problem };
}

type WorldOptions = {
  /** Rules whose contents go to a tool with its own matcher. */
  readonly rules?: ToolPermissionContext;
  /** Resolves names of hosts. */
  readonly resolve?: ResolveHost;
};

const NO_MATCHES: GlobMatches = { links: [], names: [], folders: [] };
const NOTHING: Tree = { holdsProtected: false, holdsLinks: false };

function placeOf({ files, session: { env } }: ToolUseContext): Place {
  const { cwd, projectRoot, outerRoots, outputFolder } = files;
  return {
    cwd: normalisePath(cwd),
    projectRoot: normalisePath(projectRoot),
    home: normalisePath(env?.['HOME'] ?? homedir()),
    outerRoots: outerRoots?.map(normalisePath),
    outputFolder: outputFolder && normalisePath(outputFolder),
    realPaths: {},
  };
}

async function ownCheck(
  tool: Tool,
  input: AnyObject['_output'],
  context: ToolUseContext,
): Promise<PermissionResult> {
  try {
    return toResult(await tool.checkPermissions(input, context), tool);
  } catch (error) {
    return failed(tool, 'permission check', error);
  }
}

/** @throws TypeError if the check returned no permission result */
function toResult(said: unknown, { name }: Tool): PermissionResult {
  const { behavior, message } = isRecord(said) ? said : {};
  if (behavior === 'allow' || behavior === 'passthrough') return said as PermissionResult; // checked above
  if (behavior !== 'ask' && behavior !== 'deny')
    throw new TypeError('It returned no permission result: return { behavior: "passthrough" }.');
  const result = said as Extract<PermissionResult, { behavior: 'ask' | 'deny' }>;
  if (typeof message === 'string') return result;
  const what = behavior === 'ask' ? 'asks for approval' : 'refuses this use';
  return { ...result, message: `${name}: its own permission check ${what}.` };
}

function failed(tool: Tool, what: string, error: unknown): PermissionAskDecision {
  const reason = `the ${what} of ${tool.name} failed: ${nameAndMessageOf(error)}`;
  return {
    behavior: 'ask',
    message: `${tool.name}: its own ${what} failed. ${nameAndMessageOf(error)}`,
    decisionReason: { type: 'safetyCheck', reason, classifierApprovable: false },
  };
}

async function matchByItself(
  tool: Tool,
  input: AnyObject['_output'],
  rules: ToolPermissionContext | undefined,
): Promise<Matched> {
  if (tool.preparePermissionMatcher === undefined || rules === undefined) return {};
  const { name: toolName, aliases = [] } = tool;
  const contents = contentsFor({ toolName, aliases }, compiledRules(rules));
  if (contents.length === 0) return { contents };
  try {
    const matches = await tool.preparePermissionMatcher(input);
    return { contents: contents.filter((content) => matches(content)) };
  } catch (error) {
    return { failure: failed(tool, 'matcher of rules', error) };
  }
}

function whyOutside(
  target: PermissionTarget | undefined,
  input: AnyObject['_output'],
  { session: { sandbox } }: ToolUseContext,
): ToolFacts['leavesSandbox'] {
  return target?.kind === 'shell' ? whyOutsideSandbox({ ...input, ...target }, sandbox) : undefined;
}

/** @throws TypeError if a tool names a target of an unknown kind, to which no rule would apply */
function targetOf(tool: Tool, input: AnyObject['_output']): PermissionTarget | undefined {
  const said = atOnce(tool.permissionTarget?.(input));
  if (said === undefined) return undefined;
  if (isRecord(said) && TARGET_KINDS.has(said['kind'])) return said as PermissionTarget;
  throw new TypeError('Its permissionTarget returned no target.');
}

const TARGET_KINDS: ReadonlySet<unknown> = new Set(['paths', 'shell', 'script', 'web', 'name']);

/** Anything but false counts as true. */
function needsPerson(tool: Tool): boolean {
  const said = atOnce(tool.requiresUserInteraction?.());
  return said !== undefined && said !== false;
}

type TargetMeans = { readonly bashGrammar: BashGrammar; readonly resolve: ResolveHost };

async function readTarget(
  target: PermissionTarget,
  place: Place,
  { bashGrammar, resolve }: TargetMeans,
): Promise<TargetFacts> {
  switch (target.kind) {
    case 'paths': {
      const paths = target.paths.map(({ path, access, isTree }) => {
        const given = joinPath(place.cwd, path);
        const mark = isTree === true ? { isTree } : {};
        return { given, lexical: normalisePath(given), access, ...mark };
      });
      return { kind: 'paths', paths };
    }
    case 'shell': {
      const { analyse } = await loadAnalysis();
      const analysis = analyse(target.command, place, await bashGrammar());
      const problem = 'it is only a part of a command line';
      return { kind: 'shell', analysis: target.isPartial ? { ...analysis, problem } : analysis };
    }
    case 'web':
      return { kind: 'web', request: await readAddressFact(target.url, resolve) };
    case 'script':
    case 'name':
      return target;
    default:
      return target satisfies never;
  }
}

async function lookAt(
  named: TargetFacts,
  place: Place,
  context: ToolUseContext,
): Promise<Pick<ToolFacts, 'target' | 'place'>> {
  if (named.kind !== 'paths' && named.kind !== 'shell') return { target: named, place };
  const permissions = context.permissions.current?.();
  const added = Object.values(permissions?.additionalWorkingDirectories ?? {});
  const anchors = [
    place.cwd,
    place.projectRoot,
    place.home,
    ...(place.outerRoots ?? []),
    ...(place.outputFolder === undefined ? [] : [place.outputFolder]),
    ...added.map(({ path }) => normalisePath(path)),
  ];
  const empty = await lookUp(foldersToLookFor(named), isEmpty);
  const target = withFolders(named, (folder) => empty.get(folder) === true);
  const globs = await lookUp(globsToExpand(target), matchesOf);
  const matchesIn = (path: string): GlobMatches => globs.get(path) ?? NO_MATCHES;
  const full = withGlobMatches(target, matchesIn);
  const overwritten = pathsToOverwrite(full, matchesIn);
  const [files, folders, resolved, kinds, trees] = await Promise.all([
    lookUp(overwritten.files, hasOtherNames),
    lookUp(overwritten.trees, holdsOtherNames),
    lookUp([...anchors, ...pathsToResolve(full)], resolvePath),
    lookUp(pathsToLookAt(full), kindOf),
    lookUp(treesToLookInto(full), lookIntoTree),
  ]);
  const realPaths = anchors.flatMap((path) => {
    const real = resolved.get(path);
    return real === undefined || real === path ? [] : [[path, real] as const];
  });
  const isUntold = (path: string): boolean => globs.has(path) && globs.get(path) === undefined;
  const found = withResolvedPaths(full, (path) =>
    isUntold(path) ? undefined : resolved.get(path),
  );
  const known = withKinds(found, (path) => kinds.get(path) ?? 'missing');
  const judged = withTrees(known, (path) => trees.get(path) ?? NOTHING);
  const shared = { files, trees: folders };
  return {
    target: withOtherNames(judged, matchesIn, (kind, path) => shared[kind].get(path) === true),
    place: {
      ...place,
      realPaths: Object.fromEntries(realPaths),
      ...(ignoresCase(place.projectRoot) ? { isCaseInsensitive: true } : {}),
    },
  };
}

async function lookUp<Found>(
  paths: readonly string[],
  look: (path: string) => Promise<Found>,
): Promise<ReadonlyMap<string, Found>> {
  const unique = [...new Set(paths)];
  return new Map(await Promise.all(unique.map(async (path) => [path, await look(path)] as const)));
}
