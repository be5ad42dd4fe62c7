import { describe, expect, it } from 'vitest';
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
