import { describe, expect, it } from 'vitest';
import type { Skill } from '../../../src/core/commands/command.js';
import { rulesOfSkill } from '../../../src/tools/skills/rules-of-skill.js';
import { SkillTool } from '../../../src/tools/skills/skill.js';

/** The rules among these that match a use of the skill. */
async function matching(skill: string, rules: readonly string[]): Promise<readonly string[]> {
  const matches = await SkillTool.preparePermissionMatcher?.({ skill, args: 'a b' });
  return rules.filter((rule) => matches?.(rule) === true);
}

describe('rules for skills', () => {
  const rules = [
    'deploy',
    '/deploy',
    'deploy *',
    'deploy:*',
    'dep',
    'dep*',
    'dep:*',
    'docs:*',
    'Deploy',
  ];

  it('match a name, a name with any arguments, and the beginning of a name', async () => {
    expect(await matching('deploy', rules)).toEqual([
      'deploy',
      '/deploy',
      'deploy *',
      'deploy:*',
      'dep*',
      'dep:*',
    ]);
  });

  it('match a skill that is called with its slash', async () => {
    expect(await matching(' /deploy', ['deploy', 'docs:*'])).toEqual(['deploy']);
  });

  it('match all commands of a folder, and no other that is called alike', async () => {
    expect(await matching('docs:notes', rules)).toEqual(['docs:*']);
    expect(await matching('doc', rules)).toEqual([]);
  });
});

describe('allowed-tools', () => {
  it.each([
    ['Bash(${CLAUDE_SKILL_DIR}/a.sh:*)', ['Bash(/s k/a.sh:*)', 'Bash("/s k/a.sh":*)']],
    ['Bash(${CLAUDE_SKILL_DIR}/a.sh x *)', ['Bash(/s k/a.sh x *)', 'Bash("/s k/a.sh" x *)']],
    ['Bash(${CLAUDE_PROJECT_DIR}/a.sh)', ['Bash(/p/a.sh)', 'Bash("/p/a.sh")']],
    ['Bash("${CLAUDE_SKILL_DIR}/a.sh" *)', ['Bash("/s k/a.sh" *)']],
    ['Bash(${CLAUDE_SKILL_DIR}/*)', ['Bash(/s k/*)']],
    ['Bash(git *)', ['Bash(git *)']],
    ['Read(${CLAUDE_SKILL_DIR}/a.md)', ['Read(/s k/a.md)']],
  ])('allow a program of the skill with quotes and without: %s', (rule, rules) => {
    const skill = { skillRoot: '/s k', allowedTools: [rule], disallowedTools: [rule] };
    expect(rulesOfSkill(skill as unknown as Skill, { projectRoot: '/p' })).toEqual({
      allow: rules,
      deny: rules.slice(0, 1),
    });
  });
});
