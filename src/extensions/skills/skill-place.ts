import type { Skill } from '../../core/commands/command.js';

/** A file that may contain a skill, and facts that its place says. */
export type SkillPlace = Pick<Skill, 'name' | 'source' | 'roots' | 'skillRoot' | 'pluginInfo'> & {
  readonly file: string;
  /** The kind of the file: a `SKILL.md`, or a file of a folder `commands`. */
  readonly kind: 'skill' | 'command';
};
