import type { Skill } from '../../core/commands/command.js';

/** A file that may contain a skill, and facts that its place says. */
export type SkillPlace = Pick<
  Skill,
  'name' | 'source' | 'loadedFrom' | 'roots' | 'skillRoot' | 'pluginInfo'
> & { readonly file: string };
