import type { Skill } from '../../core/commands/command.js';
import { isTurnedOn } from '../../files/turned-on.js';
import type { Environment } from '../../files/folders.js';
import type { Settings } from '../../settings/schema/settings-schema.js';
import { BUNDLED_SKILLS } from './bundled/bundled-skills.js';

/** Apply settings to the skills of files. Without such a setting no code is loaded. @param layers lowest first */
export async function skillsBySettings(
  skills: readonly Skill[],
  layers: readonly Settings[],
): Promise<readonly Skill[]> {
  const isLimited = layers.some(
    (one) => one.disableSkillShellExecution === true || one.skillOverrides !== undefined,
  );
  if (!isLimited) return skills;
  const { limitBySettings } = await import('./limit-by-settings.js');
  return limitBySettings(skills, layers);
}

/** Put the skills of Troupe behind those of files, unless a setting leaves them out. `/init` always stays. */
export function withBundledSkills(
  skills: readonly Skill[],
  layers: readonly Settings[],
  env: Environment,
): readonly Skill[] {
  const isWithout =
    isTurnedOn(env, 'CLAUDE_CODE_DISABLE_BUNDLED_SKILLS') ||
    layers.some((one) => one.disableBundledSkills === true);
  const bundled = BUNDLED_SKILLS.filter(
    ({ name }) => skills.every((one) => one.name !== name) && (!isWithout || name === 'init'),
  );
  return [...skills, ...bundled];
}
