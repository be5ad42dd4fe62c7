import type { Skill } from '../../core/commands/command.js';
import type { Settings } from '../../settings/schema/settings-schema.js';
import type { SkillState } from '../../settings/schema/skill-settings.js';

/**
 * Apply settings to skills: which of them models and people may use, and whether commands in their texts run.
 *
 * @param layers lowest first
 */
export function limitBySettings(
  skills: readonly Skill[],
  layers: readonly Settings[],
): readonly Skill[] {
  const runsNone = layers.some((one) => one.disableSkillShellExecution === true);
  const overrides: NonNullable<Settings['skillOverrides']> = Object.assign(
    {},
    ...layers.map(({ skillOverrides }) => skillOverrides),
  );
  return skills.map((skill) => {
    const limited = runsNone && skill.source !== 'policySettings' ? withoutCommands(skill) : skill;
    return skill.source === 'plugin' ? limited : override(limited, overrides[skill.name]);
  });
}

/** The skill as a text: no command of it runs. */
function withoutCommands(skill: Skill): Skill {
  return { ...skill, withoutCommands: 'disabled' };
}

const never = (): boolean => false;

function override(skill: Skill, value: SkillState | undefined): Skill {
  switch (value) {
    case undefined:
    case 'on':
      return skill;
    case 'name-only':
      return { ...skill, isNameOnly: true };
    case 'user-invocable-only':
      return { ...skill, disableModelInvocation: true };
    case 'off':
      return { ...skill, disableModelInvocation: true, isEnabled: never };
    default:
      return value satisfies never;
  }
}
