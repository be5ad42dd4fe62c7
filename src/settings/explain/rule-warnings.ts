import type { ToolPermissionContext } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import {
  findRuleProblems,
  tellRuleProblems,
  writtenRules,
  type KnownNames,
} from '../../permissions/rules/rule-problems.js';
import { isIdle } from '../../permissions/rules/rule.js';
import type { LoadedSettings } from '../files/load-settings.js';
import { describePlace, locateRules } from './locate-rules.js';

/**
 * Describe the rules of a run that are invalid, have no effect, or have another effect than they seem to have: one line
 * on each, with the place of the rule.
 *
 * @param options.agents types of agents that rules may name; rules for agents are not checked if absent
 * @param options.servers names of MCP servers that are configured; the servers of rules are not checked if absent
 * @param options.tools names of further tools, in addition to the built-in ones
 * @param options.layers settings with rules: their rules are shown with file and line
 * @param options.home meaning of `~` in the rules of `layers`
 */
export async function describeRuleProblems(
  permissions: ToolPermissionContext,
  {
    agents,
    servers,
    tools = [],
    layers = [],
    home = '/',
  }: Partial<KnownNames> & {
    readonly layers?: readonly LoadedSettings[];
    readonly home?: string;
  } = {},
): Promise<readonly string[]> {
  const written = writtenRules(permissions);
  const { getAllBaseTools } = await import('../../tools/pool/base-tools.js');
  const builtIn = getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const known = {
    tools: [...builtIn, ...tools],
    ...given({ agents, servers }),
  };
  const idle = written.filter(({ source, behavior }) => isIdle(permissions, behavior, source));
  const rules = written.filter((rule) => !idle.includes(rule));
  const problems = findRuleProblems(rules, known);
  if (problems.length + idle.length === 0) return [];
  const located = locateRules({ layers, waiting: [] }, home);
  const placeOf = ({ source, behavior, text }: (typeof written)[number]): string => {
    const found = located.find(
      (rule) => rule.source === source && rule.behavior === behavior && rule.names.includes(text),
    );
    return describePlace(found ?? { source });
  };
  const unread = idle.map((rule) => `${rule.text} (${placeOf(rule)})`).join(', ');
  return [
    ...(idle.length === 0
      ? []
      : [
          `Managed settings have allowManagedPermissionRulesOnly: these rules allow nothing: ${unread}.`,
        ]),
    ...tellRuleProblems(problems, known, placeOf),
  ];
}
