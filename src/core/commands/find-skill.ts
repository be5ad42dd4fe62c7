import type { Skill } from './command.js';

/** Find the skill that a name means: its own, or the last part of the name of one skill of a plugin. */
export function findSkill(skills: readonly Skill[], name: string): Skill | undefined {
  const found = skills.find((skill) => skill.name === name);
  if (found !== undefined || name.includes(':')) return found;
  const ofPlugins = skills.filter(
    (skill) => skill.pluginInfo !== undefined && skill.name.endsWith(`:${name}`),
  );
  return ofPlugins.length === 1 ? ofPlugins[0] : undefined;
}
