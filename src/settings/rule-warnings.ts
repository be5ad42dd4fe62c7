import type { ToolPermissionContext } from '../core/permission-types.js';
import { given } from '../core/json/given.js';
import {
  findRuleProblems,
  tellRuleProblems,
  writtenRules,
  type KnownNames,
} from '../permissions/rule-problems.js';
import type { LoadedSettings } from './load-settings.js';
import { describePlace, locateRules } from './locate-rules.js';

/**
 * The rules of a run that cannot be read, that do nothing, or that do not do what they seem to say: one line for people
 * on each, with the place of the rule.
 *
 * @param options.agents kinds of agents that rules may name. Rules for agents are not checked if absent.
 * @param options.tools names of tools beside the built-in ones
 * @param options.layers settings that rules come from: a rule of theirs is told with its file and line
 * @param options.home what `~` stands for in the rules of `layers`
 */
export async function describeRuleProblems(
  permissions: ToolPermissionContext,
  {
    agents,
    tools = [],
    layers = [],
    home = '/',
  }: Partial<KnownNames> & {
    readonly layers?: readonly LoadedSettings[];
    readonly home?: string;
  } = {},
): Promise<readonly string[]> {
  const rules = writtenRules(permissions);
  if (rules.length === 0) return []; // most runs need no list of tools before they begin
  const { getAllBaseTools } = await import('../tools/pool/base-tools.js');
  const builtIn = getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const known = {
    tools: [...builtIn, ...tools],
    ...given({ agents }),
  };
  const problems = findRuleProblems(rules, known);
  if (problems.length === 0) return [];
  const located = locateRules({ layers, waiting: [] }, home);
  return tellRuleProblems(problems, known, ({ source, behavior, text }) => {
    const written = located.find(
      (rule) => rule.source === source && rule.behavior === behavior && rule.names.includes(text),
    );
    return describePlace(written ?? { source });
  });
}
