import { readFileSync } from 'node:fs';
import {
  getEmptyToolPermissionContext,
  type PermissionMode,
  type ToolPermissionContext,
} from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import type { TargetFacts, ToolFacts } from '../../src/permissions/facts.js';
import { normalisePath } from '../../src/permissions/paths/normalise.js';
import type { Place } from '../../src/permissions/paths/path-fact.js';
import { resolveLinksIn } from '../../src/permissions/paths/resolve-links.js';
import { withResolvedPaths } from '../../src/permissions/resolve-target.js';
import { analyse } from '../../src/permissions/shell/analyse.js';

/** The world of the fixtures: a project in a home, and nothing else. */
export const place: Place = {
  cwd: '/home/u/proj',
  projectRoot: '/home/u/proj',
  home: '/home/u',
  realPaths: {},
};

export type CorpusCase = {
  readonly id: string;
  readonly cls: string;
  readonly mode: PermissionMode;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly expect: 'allow' | 'ask' | 'deny';
  readonly why: string;
};
export type ShellCase = CorpusCase & { readonly command: string };
export type PathCase = CorpusCase & {
  readonly tool: string;
  readonly path: string;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly additional?: readonly string[];
};

export function readCorpus<Case extends CorpusCase>(name: string): readonly Case[] {
  const file = new URL(`../fixtures/permissions/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Case); // the fixture's own shape
}

export function contextOf(rules: Partial<PathCase>): ToolPermissionContext {
  const added = (rules.additional ?? []).map((path) => [path, { path, source: 'cliArg' as const }]);
  return {
    ...getEmptyToolPermissionContext(),
    mode: rules.mode ?? 'default',
    alwaysAllowRules: { projectSettings: rules.allow ?? [] },
    alwaysDenyRules: { projectSettings: rules.deny ?? [] },
    alwaysAskRules: { projectSettings: rules.ask ?? [] },
    additionalWorkingDirectories: Object.fromEntries(added),
    isBypassPermissionsModeAvailable: true,
  };
}

/** The facts of a use of a tool, everything about it plain. */
export function factsOf(facts: Partial<ToolFacts>): ToolFacts {
  return {
    toolName: 'Probe',
    isReadOnly: false,
    requiresUserInteraction: false,
    input: {},
    ownCheck: { behavior: 'passthrough' },
    place,
    ...facts,
  };
}

export function shellFacts(command: string, at = place): ToolFacts {
  const target = { kind: 'shell', analysis: analyse(command, at) } as const;
  return factsOf({
    toolName: 'Bash',
    input: { command },
    target: resolveIn({}, target),
    place: at,
  });
}

export function pathFacts(
  toolName: string,
  path: string,
  symlinks: Readonly<Record<string, string>> = {},
): ToolFacts {
  const access = toolName === 'Read' ? 'read' : 'write';
  const paths = [{ given: path, lexical: normalisePath(path), access } as const];
  return factsOf({
    toolName,
    isReadOnly: access === 'read',
    input: { file_path: path },
    target: resolveIn(symlinks, { kind: 'paths', paths }),
  });
}

function resolveIn(links: Readonly<Record<string, string>>, target: TargetFacts): TargetFacts {
  return withResolvedPaths(target, (given) => resolveLinksIn(links, given));
}

/** Those of `commands` that are not decided as `expected`. */
export function decidedOtherwise(
  expected: CorpusCase['expect'],
  commands: readonly string[],
  rules: Partial<PathCase> = {},
): readonly string[] {
  const context = contextOf(rules);
  return commands.filter((command) => decide(shellFacts(command), context).behavior !== expected);
}
