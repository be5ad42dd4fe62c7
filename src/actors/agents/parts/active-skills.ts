import type { Effort } from '../../../core/agents/agent-definition.js';
import type { Skill } from '../../../core/commands/command.js';
import { given } from '../../../core/json/given.js';
import type { ScopedRules } from '../../../core/permission-types.js';
import type { AgentSkill } from '../../../journal/entries/agent-entries.js';
import type { ModelLimits } from '../../../model/choice/model-limits.js';
import { rulesOfSkill } from '../../../tools/skills/rules-of-skill.js';
import type { Environment } from '../../../files/folders.js';

/** The effects of the skills that an agent uses: they end with the next prompt. */
export interface ActiveSkills {
  /** Rules of all of them; undefined for none. The same object until they change. */
  rules(): ScopedRules | undefined;
  /** ID of the model of the newest one that has a model. */
  model(): string | undefined;
  effort(): Effort | undefined;
  /** Apply a skill. */
  begin(skill: Skill, projectRoot: string): void;
  /** Apply a skill when the agent takes a prompt. @param id of the prompt's envelope */
  beginWith(id: string, skill: Skill, projectRoot: string): void;
  /** End all skills, and begin those of these prompts. */
  beginPrompt(ids: readonly string[]): void;
}

/**
 * @param write writes a line to the agent's journal: a resumed agent keeps the skills of its unfinished turn
 * @param earlier lines of the journal of a resumed agent that still count, in their order
 */
export function createActiveSkills(
  { env, limitModels }: { readonly env: Environment; readonly limitModels: ModelLimits },
  write: (line: AgentSkill) => void,
  earlier: readonly AgentSkill[] = [],
): ActiveSkills {
  let waiting: AgentSkill[] = [];
  let rules: ScopedRules | undefined;
  let model: string | undefined;
  let effort: Effort | undefined;

  const apply = (skill: AgentSkill): void => {
    const { allow, deny } = skill;
    if (allow.length + deny.length > 0)
      rules = {
        allow: [...(rules?.allow ?? []), ...allow],
        deny: [...(rules?.deny ?? []), ...deny],
      };
    if (skill.model !== undefined) model = limitModels.permit(skill.model, env) ?? model;
    effort = skill.effort ?? effort;
  };
  const take = (skill: AgentSkill): void => {
    if (skill.prompt === undefined) apply(skill);
    else waiting.push(skill);
  };
  const begin = (skill: Skill, projectRoot: string, prompt?: string): void => {
    const line = {
      type: 'agent.skill',
      ...effectOf(skill, projectRoot),
      ...given({ prompt }),
    } as const;
    write(line);
    take(line);
  };
  for (const line of earlier) take(line);

  return {
    rules: () => rules,
    model: () => model,
    effort: () => effort,
    begin: (skill, projectRoot) => begin(skill, projectRoot),
    beginWith: (id, skill, projectRoot) => begin(skill, projectRoot, id),
    beginPrompt(ids) {
      [rules, model, effort] = [undefined, undefined, undefined];
      const isTaken = ({ prompt = '' }: AgentSkill): boolean => ids.includes(prompt);
      for (const skill of waiting.filter(isTaken)) apply(skill);
      waiting = waiting.filter((skill) => !isTaken(skill));
    },
  };
}

function effectOf(
  skill: Skill,
  projectRoot: string,
): Pick<AgentSkill, 'allow' | 'deny' | 'model' | 'effort'> {
  const { model, effort } = skill;
  return { ...rulesOfSkill(skill, { projectRoot }), ...given({ model, effort }) };
}
