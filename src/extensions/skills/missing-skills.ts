import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import { nameSome } from '../../core/text/name-some.js';

const MOST_NAMES = 8;

/**
 * Describe the skills that agents name and do not get, in one line.
 */
export function describeMissingSkills(
  agents: readonly AgentDefinition[],
  skills: readonly Skill[],
): readonly string[] {
  const usable = new Set(
    skills.filter((skill) => !skill.disableModelInvocation).map(({ name }) => name),
  );
  const missing = agents.flatMap(({ name, skills: names = [] }) =>
    names.filter((one) => !usable.has(one)).map((one) => `${one} (${name})`),
  );
  return missing.length === 0
    ? []
    : [`Agents name skills that no model can use: ${nameSome(missing, MOST_NAMES)}.`];
}
