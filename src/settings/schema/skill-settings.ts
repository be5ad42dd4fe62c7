import { z } from 'zod';

const SKILL_STATES = ['on', 'name-only', 'user-invocable-only', 'off'] as const;
/**
 * Who may use a skill. `name-only`: the list for the model has no description; `user-invocable-only`: only people; `off`:
 * nobody.
 */
export type SkillState = (typeof SKILL_STATES)[number];

/** Settings about skills. */
export type SkillSettings = {
  /** True: no command in the text of a skill runs. */
  readonly disableSkillShellExecution?: boolean | undefined;
  /** True: the skills of Troupe are left out, except the command `/init`. */
  readonly disableBundledSkills?: boolean | undefined;
  /** Which skills models and people may use, by name. */
  readonly skillOverrides?: Readonly<Record<string, SkillState>> | undefined;
  /** Part of the context window for the list of skills. */
  readonly skillListingBudgetFraction?: number | undefined;
  /** Most characters of one description in the list of skills. */
  readonly skillListingMaxDescChars?: number | undefined;
};

export const forSkills = () => ({
  disableSkillShellExecution: z
    .boolean()
    .optional()
    .describe('True: no command in the text of a skill runs. One layer is enough.'),
  disableBundledSkills: z
    .boolean()
    .optional()
    .describe('True: the skills of Troupe are left out, except the command /init.'),
  skillOverrides: z
    .record(z.string(), z.enum(SKILL_STATES))
    .optional()
    .describe(
      'Which skills models and people may use, by name. Skills of plugins have their own settings.',
    ),
  skillListingBudgetFraction: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('Part of the context window for the list of skills; 0.01 otherwise.'),
  skillListingMaxDescChars: z
    .int()
    .positive()
    .optional()
    .describe('Most characters of one description in that list; 1536 otherwise.'),
});
