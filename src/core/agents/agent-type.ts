import type { AgentDefinition } from './agent-definition.js';

/** The type of an agent that is a copy of its parent. */
export const FORK = 'fork';
/** The type of a main agent without a definition. */
export const MAIN = 'main';

/** The types of the built-in agents. Their names match in any case: `explore` is `Explore`. */
export const BUILT_IN_AGENT_TYPES = [
  'general-purpose',
  'Explore',
  'Plan',
  'coordinator',
  'worker',
] as const;

/** The built-in type with this name; undefined if there is none. */
export function builtInAgentType(name: string): string | undefined {
  const lower = name.toLowerCase();
  return BUILT_IN_AGENT_TYPES.find((type) => type.toLowerCase() === lower);
}

/** Whether two names mean the same type of agent. Names of other agents are case-sensitive. */
export function isSameAgentType(one: string, other: string): boolean {
  return (builtInAgentType(one) ?? one) === (builtInAgentType(other) ?? other);
}

/** The definition of a type; an exact match comes first. */
export function findAgentDefinition(
  definitions: readonly AgentDefinition[],
  type: string | undefined,
): AgentDefinition | undefined {
  if (type === undefined) return undefined;
  return (
    definitions.find(({ name }) => name === type) ??
    definitions.find(({ name }) => isSameAgentType(name, type))
  );
}
