import type { Skill } from '../../core/commands/command.js';

/** The option `skills` of the Claude Agent SDK: names of the skills that a model may use, or all. */
export type SkillLimit = 'all' | readonly string[];

/**
 * Let the model use only the named skills. People can still type the others.
 *
 * @returns the skills, and one line for each name without a skill
 */
export function limitSkills(
  skills: readonly Skill[],
  limit: SkillLimit,
): { readonly skills: readonly Skill[]; readonly warnings: readonly string[] } {
  if (limit === 'all') return { skills, warnings: [] };
  const unknown = limit.filter((name) => !skills.some((skill) => skill.name === name));
  return {
    skills: skills.map((skill) =>
      limit.includes(skill.name) ? skill : { ...skill, disableModelInvocation: true },
    ),
    warnings: unknown.map((name) => `skills: there is no skill "${name}".`),
  };
}

/** The rules that come with the option: the tool `Skill` needs no approval. */
export function rulesOfLimit(limit: SkillLimit | undefined): readonly string[] {
  return limit === undefined || limit.length === 0 ? [] : ['Skill'];
}
