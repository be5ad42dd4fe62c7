import type { Effort } from '../../../core/agents/agent-definition.js';
import type { Skill } from '../../../core/commands/command.js';
import type { ScopedRules } from '../../../core/permission-types.js';
import { resolveModelName } from '../../../model/choice/aliases.js';
import { rulesOfSkill } from '../../../tools/skills/rules-of-skill.js';

/** The effects of the skills that an agent uses: they end with the next prompt. */
export interface ActiveSkills {
  /** Rules of all of them; undefined for none. The same object until they change. */
  readonly rules: ScopedRules | undefined;
  /** ID of the model of the newest one that has a model. */
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
  /** Apply a skill. */
  begin(skill: Skill, projectRoot: string): void;
  /** Apply a skill when the agent takes a prompt. @param id of the prompt's envelope */
  beginWith(id: string, skill: Skill, projectRoot: string): void;
  /** End all skills, and begin those of these prompts. */
  beginPrompt(ids: readonly string[]): void;
}

export function createActiveSkills(
  env: Readonly<Record<string, string | undefined>>,
): ActiveSkills {
  const waiting = new Map<string, () => void>();
  let rules: ActiveSkills['rules'];
  let model: string | undefined;
  let effort: Effort | undefined;

  const begin: ActiveSkills['begin'] = (skill, projectRoot) => {
    const { allow, deny } = rulesOfSkill(skill, { projectRoot });
    if (allow.length + deny.length > 0)
      rules = {
        allow: [...(rules?.allow ?? []), ...allow],
        deny: [...(rules?.deny ?? []), ...deny],
      };
    model = skill.model === undefined ? model : resolveModelName(skill.model, env);
    effort = skill.effort ?? effort;
  };

  return {
    get rules() {
      return rules;
    },
    get model() {
      return model;
    },
    get effort() {
      return effort;
    },
    begin,
    beginWith: (id, skill, projectRoot) => void waiting.set(id, () => begin(skill, projectRoot)),
    beginPrompt(ids) {
      [rules, model, effort] = [undefined, undefined, undefined];
      for (const id of ids) {
        waiting.get(id)?.();
        waiting.delete(id);
      }
    },
  };
}
