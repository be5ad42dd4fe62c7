import type { CommandBase, Skill } from './command.js';

/** Find the skill that a name means: its own, an alias, or the last part of the name of one skill of a plugin. */
export function findSkill(skills: readonly Skill[], name: string): Skill | undefined {
  const usable = skills.filter(isEnabled);
  const found =
    usable.find((skill) => skill.name === name) ??
    usable.find(({ aliases = [] }) => aliases.includes(name));
  if (found !== undefined || name.includes(':')) return found;
  const ofPlugins = usable.filter(
    (skill) => skill.pluginInfo !== undefined && skill.name.endsWith(`:${name}`),
  );
  return ofPlugins.length === 1 ? ofPlugins[0] : undefined;
}

/** Whether a command can be used now. */
export function isEnabled({
  availability,
  isEnabled: check,
}: Pick<CommandBase, 'availability' | 'isEnabled'>): boolean {
  return isAvailable({ availability }) && (check === undefined || check());
}

/** Whether a command is for users with a key of the API, the only account that Troupe uses. */
export function isAvailable({ availability }: Pick<CommandBase, 'availability'>): boolean {
  return availability?.includes('console') !== false;
}

/** Whether lists for people have a command. */
export function isListed(
  command: Pick<CommandBase, 'availability' | 'isEnabled' | 'isHidden'>,
): boolean {
  return command.isHidden !== true && isEnabled(command);
}
