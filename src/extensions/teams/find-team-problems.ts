import type { z } from 'zod';
import type { WorkflowProblem } from '../../workflow/workflow-definition.js';
import { findWorkflowProblems, type KnownNames } from '../../workflow/workflow-problems.js';
import { expressionsOf, readCondition } from '../../workflow/workflow-expressions.js';
import { pathsIn } from '../../workflow/expressions/expression.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { describeIssue, formatPath } from '../../core/text/describe-issue.js';
import { given } from '../../core/json/given.js';
import { findRuleProblem } from '../../permissions/rules/rule-problems.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { TeamDefinition, teamJsonSchema } from './team-definition.js';

/** Names that a team may use in addition to its own. */
export type TeamSurroundings = {
  /** Names of built-in agents and of agents in files. Absent: names of agents are not checked. */
  readonly agents?: readonly string[];
  /** Names of tools. Absent: names of tools, and rules for them, are not checked. */
  readonly tools?: readonly string[];
};

/** `key`: the unknown key, if that is the problem. */
export type TeamProblem = WorkflowProblem & { readonly key?: string };

/** Read a value that may be a team: return the team, or everything that is wrong with it. */
export function readTeam(
  value: unknown,
  { agents, tools }: TeamSurroundings,
):
  | { readonly ok: true; readonly team: TeamDefinition }
  | { readonly ok: false; readonly problems: readonly TeamProblem[] } {
  const parsed = TeamDefinition.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      problems: parsed.error.issues.flatMap((issue) => {
        const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
        return issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({ path, key, message: noKey(key, path) }))
          : [{ path, message: messageOf(issue, value) }];
      }),
    };
  const team = parsed.data;
  const own = Object.keys(team.agents ?? {});
  const known: KnownNames = {
    inputs: Object.keys(team.inputs ?? {}),
    ...(agents === undefined ? {} : { agents: [...own, ...agents] }),
    ...given({ tools }),
  };
  const { tasks, finish } = team;
  const problems = [
    ...findWorkflowProblems({ tasks, ...given({ finish }) }, known),
    ...findUnused(team),
    ...findNoRoom(team),
    ...(tools === undefined ? [] : [...findIdleRules(team, tools), ...findNoTools(team, tools)]),
  ];
  return problems.length === 0 ? { ok: true, team } : { ok: false, problems };
}

/** Find definitions that nothing uses: most often a name is misspelt elsewhere. */
function findUnused(team: TeamDefinition): readonly TeamProblem[] {
  const { agents = {}, inputs = {}, tasks, finish } = team;
  const all = Object.values(tasks);
  const playing = new Set(all.map(({ agent }) => agent));
  const texts = all.flatMap(expressionsOf);
  if (finish !== undefined) texts.push(readCondition(finish, []));
  const read = new Set(
    texts
      .flatMap(({ expressions }) => expressions.flatMap(pathsIn))
      .flatMap(({ root, parts: [name] }) => (root === 'inputs' ? [name] : [])),
  );
  /** A text that cannot be parsed might read any input. */
  const readsAll = read.has(undefined) || texts.some(({ error }) => error !== undefined);
  return [
    ...Object.keys(agents).flatMap((name) =>
      playing.has(name) ? [] : [{ path: ['agents', name], message: 'no task uses this agent' }],
    ),
    ...Object.keys(inputs).flatMap((name) =>
      readsAll || read.has(name)
        ? []
        : [{ path: ['inputs', name], message: 'no task reads this input' }],
    ),
  ];
}

/** Find a budget that is too small for the team's own agents to begin. */
function findNoRoom({ tasks, budget }: TeamDefinition): readonly TeamProblem[] {
  const [name] = Object.entries(tasks).find(([, { agent }]) => agent !== undefined) ?? [];
  if (name === undefined) return [];
  return (['agents', 'depth'] as const)
    .filter((unit) => budget?.[unit] === 0)
    .map((unit) => ({
      path: ['budget', unit],
      message: `with 0 no agent may begin, but the task "${name}" has an agent: give 1 or more, or leave the field out`,
    }));
}

/** Find rules that deny or allow nothing: they are probably mistakes. */
function findIdleRules(
  { permissions = {} }: TeamDefinition,
  tools: readonly string[],
): readonly TeamProblem[] {
  return (['allow', 'deny', 'ask'] as const).flatMap((behavior) =>
    (permissions[behavior] ?? []).flatMap((text, index) => {
      const rule = parseRule(text);
      const found = rule.ok
        ? findRuleProblem({ behavior, value: rule.value }, { tools })
        : undefined;
      if (found === undefined) return [];
      const hint = found.strangeTool === undefined ? '' : ` There are ${tools.join(', ')}.`;
      const message = `${found.problem}${hint}`;
      return [{ path: ['permissions', behavior, index], message }];
    }),
  );
}

/** Find unknown tools that agents are given or refused. */
function findNoTools(
  { agents = {} }: TeamDefinition,
  tools: readonly string[],
): readonly TeamProblem[] {
  return Object.entries(agents).flatMap(([name, agent]) =>
    (['tools', 'disallowedTools'] as const).flatMap((field) =>
      (agent[field] ?? []).flatMap((text) => {
        const rule = parseRule(text);
        const tool = rule.ok ? rule.value.toolName : text;
        if (/^mcp__|\*/.test(tool) || tools.includes(tool)) return [];
        const message = `there is no tool "${tool}"${hintOf(tool, tools)}`;
        return [{ path: ['agents', name, field], message }];
      }),
    ),
  );
}

function noKey(key: string, path: readonly (string | number)[]): string {
  return `there is no "${key}" here${hintOf(key, keysAt(teamJsonSchema(), path))}`;
}

function hintOf(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
}

/** The problem of an issue, without the name of its path. */
function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  if (inner !== undefined) return inner.message;
  const nameOf = (path: readonly PropertyKey[]): string =>
    formatPath(path.slice(issue.path.length)) || 'it';
  const text = describeIssue(issue, value, nameOf);
  return text.replace(/^it: /, '');
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** The keys of a JSON schema at a path. */
function keysAt(schema: object, path: readonly PropertyKey[]): readonly string[] {
  let found: readonly Schema[] = [schema];
  for (const part of path)
    found = found
      .map(({ properties = {}, additionalProperties, items }) =>
        Object.hasOwn(properties, part)
          ? properties[String(part)]
          : (additionalProperties ?? items),
      )
      .flatMap((one) => (one === undefined ? [] : (one.anyOf ?? [one])));
  return found.flatMap(({ properties = {} }) => Object.keys(properties));
}
