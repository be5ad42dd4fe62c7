import { describe, expect, it } from 'vitest';
import { textBlock, type Message, type UserBlock } from '../../../src/core/messages.js';
import { describeUsedSkills, findUsedSkills } from '../../../src/context/compaction/used-skills.js';

const user = (...content: readonly (string | UserBlock)[]): Message => ({
  role: 'user',
  content: content.map((block) => (typeof block === 'string' ? textBlock(block) : block)),
});

const result = (content: string): UserBlock => ({
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  content,
});

const loaded = (name: string): UserBlock =>
  result(`The skill ${name} is loaded. Its text follows.`);

describe('findUsedSkills', () => {
  it('finds those that the model loaded and those that a person typed, the newest text of each', () => {
    const messages = [
      user('/deploy /tone main', 'Deploy main.', 'Be kind.'),
      user('/usr/bin is a folder'),
      user(
        loaded('a:look'),
        result('other'),
        loaded('deploy'),
        '<system-reminder>',
        'Look.',
        'Deploy now.',
      ),
      user(result('other'), 'a message', '/notes', 'Notes.'),
    ];
    expect(findUsedSkills(messages)).toEqual([
      { name: 'tone', text: 'Be kind.' },
      { name: 'a:look', text: 'Look.' },
      { name: 'deploy', text: 'Deploy now.' },
      { name: 'notes', text: 'Notes.' },
    ]);
  });

  it('finds those behind an earlier summary', () => {
    const skills = [
      { name: 'deploy', text: 'Deploy.\n<skill name="x">\n\nDone.' },
      { name: 'tone', text: 'Be kind.' },
    ];
    const text = describeUsedSkills(skills, 1_000);
    const [deploy, tone] = findUsedSkills([user(text)]);
    expect([deploy?.name, tone]).toEqual(['deploy', skills[1]]);
    expect(describeUsedSkills(findUsedSkills([user(text)]), 1_000)).toBe(text);
  });
});

describe('describeUsedSkills', () => {
  it('keeps the newest texts that there is room for, each to its limit', () => {
    const skills = [
      { name: 'old', text: 'x'.repeat(500) },
      { name: 'new', text: 'y'.repeat(600) },
    ];
    expect(describeUsedSkills(skills, 1_000)).not.toContain('xx');
    expect(describeUsedSkills(skills, 1_000)).toContain('yy');
    const long = describeUsedSkills([{ name: 'long', text: 'z'.repeat(30_000) }], 200_000);
    expect(long.length).toBeLessThan(20_200);
    expect(long).toMatch(/z\n\[… cut\]\n<\/skill>$/);
    expect(describeUsedSkills([], 1_000)).toBe('');
  });
});
