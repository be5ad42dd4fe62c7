import type { PermissionDecision } from '../../core/decision-types.js';
import {
  getEmptyToolPermissionContext,
  type ToolPermissionContext,
} from '../../core/permission-types.js';
import { decide } from '../decide.js';
import type { TargetFacts, ToolFacts } from '../facts/facts.js';
import { joinPath, normalisePath } from '../paths/normalise.js';
import type { Place } from '../paths/path-fact.js';
import { resolveLinksIn } from '../paths/resolve-links.js';
import { withResolvedPaths } from '../facts/resolve-target.js';
import { analyse } from '../shell/analyse.js';
import type { ParseShell } from '../shell/grammar/syntax-node.js';
import { spellHost } from '../web/address.js';
import { readWebTarget } from '../web/web-fact.js';
import type { EvalCase } from './eval-case.js';

/** The world of every case: a project in a home, and nothing else. Nothing is read from disk. */
export const EVAL_PLACE: Place = {
  cwd: '/home/u/proj',
  projectRoot: '/home/u/proj',
  home: '/home/u',
  realPaths: {},
};

const PUBLIC_ADDRESS = '93.184.216.34';

/**
 * Judge a case. Of an address and its redirects, the first that is not allowed decides.
 *
 * @param parse the grammar of the shell; without it no command line is allowed.
 */
export function judgeCase(example: EvalCase, parse: ParseShell | undefined): PermissionDecision {
  const context = contextOf(example);
  if (example.kind === 'shell') return decide(shellFacts(example.command, parse), context);
  if (example.kind === 'path')
    return decide(pathFacts(example.tool, example.path, example.symlinks), context);
  const { url, redirects, resolves } = example;
  const decisions = [url, ...redirects].map((hop) => decide(webFacts(hop, resolves), context));
  return decisions.find(({ behavior }) => behavior !== 'allow') ?? decisions[0]!; // never empty
}

type Rules = Pick<EvalCase, 'mode' | 'allow' | 'deny' | 'ask'> & {
  readonly additional?: readonly string[];
};

export function contextOf({
  mode,
  allow,
  deny,
  ask,
  additional = [],
}: Rules): ToolPermissionContext {
  const added = additional
    .map(normalise)
    .map((path) => [path, { path, source: 'cliArg' as const }]);
  return {
    ...getEmptyToolPermissionContext(),
    mode,
    alwaysAllowRules: { projectSettings: allow },
    alwaysDenyRules: { projectSettings: deny },
    alwaysAskRules: { projectSettings: ask },
    additionalWorkingDirectories: Object.fromEntries(added),
    isBypassPermissionsModeAvailable: true,
    isAutoModeAvailable: true,
  };
}

export function shellFacts(
  command: string,
  parse: ParseShell | undefined,
  place = EVAL_PLACE,
): ToolFacts {
  const target = { kind: 'shell', analysis: analyse(command, place, parse) } as const;
  return factsOf('Bash', { command }, resolveIn({}, target), place);
}

export function pathFacts(
  toolName: string,
  path: string,
  symlinks: Readonly<Record<string, string>> = {},
): ToolFacts {
  const access = toolName === 'Read' ? 'read' : 'write';
  const given = joinPath(EVAL_PLACE.cwd, path);
  const paths = [{ given, lexical: normalisePath(given), access } as const];
  const links = Object.entries(symlinks).map(([link, to]) => [normalise(link), to] as const);
  const target = resolveIn(Object.fromEntries(links), { kind: 'paths', paths });
  return { ...factsOf(toolName, { file_path: path }, target), isReadOnly: access === 'read' };
}

function webFacts(url: string, resolves: Readonly<Record<string, readonly string[]>>): ToolFacts {
  const resolve = (host: string): readonly string[] =>
    Object.entries(resolves).find(([name]) => spellHost(name) === host)?.[1] ?? [PUBLIC_ADDRESS];
  const target = { kind: 'web', request: readWebTarget(url, resolve) } as const;
  return { ...factsOf('WebFetch', { url }, target), isReadOnly: true };
}

function factsOf(
  toolName: string,
  input: ToolFacts['input'],
  target: TargetFacts,
  place = EVAL_PLACE,
): ToolFacts {
  return {
    toolName,
    isReadOnly: false,
    requiresUserInteraction: false,
    input,
    target,
    ownCheck: { behavior: 'passthrough' },
    place,
  };
}

function normalise(path: string): string {
  return normalisePath(joinPath(EVAL_PLACE.cwd, path));
}

function resolveIn(links: Readonly<Record<string, string>>, target: TargetFacts): TargetFacts {
  return withResolvedPaths(target, (path) => resolveLinksIn(links, path));
}
