import { describe, expect, it } from 'vitest';
import { anchorRule } from '../../../src/settings/permissions/anchor-rule.js';

const home = '/home/ada';

describe('anchorRule', () => {
  it.each([
    ['Edit(/notes/**)', ['~/.claude/notes/**']],
    ['Read(/)', ['~/.claude/']],
  ])('writes %s from home', (rule, contents) => {
    const tool = rule.slice(0, 4);
    expect(anchorRule(rule, ['/home/ada/.claude'], home)).toEqual(
      contents.map((content) => `${tool}(${content})`),
    );
  });

  it.each(['Read', 'Read(//etc/**)', 'Read(~/x)', 'Read(x)', 'Bash(/bin/ls *)', 'Bash(ls'])(
    'leaves %s alone',
    (rule) => {
      expect(anchorRule(rule, ['/home/ada/.claude'], home)).toEqual([rule]);
    },
  );

  it('names a folder elsewhere from the root, under each of its names', () => {
    expect(anchorRule('Read(/x)', ['/link/cfg', '/data/cfg'], home)).toEqual([
      'Read(//link/cfg/x)',
      'Read(//data/cfg/x)',
    ]);
    expect(anchorRule('Read(/x)', ['/home/ada'], home)).toEqual(['Read(~/x)']);
  });
});
