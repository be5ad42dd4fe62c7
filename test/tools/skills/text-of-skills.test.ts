import { describe, expect, it } from 'vitest';
import type { Skill } from '../../../src/core/commands/command.js';
import { describeSkill, describeSkills } from '../../../src/tools/skills/describe-skills.js';
import {
  fillArguments,
  splitArguments,
  takesArguments,
} from '../../../src/tools/skills/fill-arguments.js';
import { findMentions, splitText } from '../../../src/tools/skills/split-text.js';
import { GREETING } from '../../support/skills.js';

const fill = (text: string, args: string, argNames: readonly string[] = []): string =>
  fillArguments(text, { args, argNames, variables: { CLAUDE_SKILL_DIR: '/s' } });

describe('fillArguments', () => {
  it('fills in all arguments, arguments by number from 0, and arguments by name', () => {
    expect(fill('a $ARGUMENTS b', '1 "2 3"')).toBe('a 1 "2 3" b');
    expect(fill('$0|$1|$ARGUMENTS[1]|$2|$10', 'x "y z"')).toBe('x|y z|y z|$2|$10');
    expect(
      fill('$issue on $issue-branch, $other, $left', '7 main', ['issue', 'issue-branch']),
    ).toBe('7 on main, $other, $left');
    expect(fill('<$left>', '', ['left'])).toBe('<>');
  });

  it('fills in known variables, and leaves everything else that has a dollar', () => {
    expect(fill('${CLAUDE_SKILL_DIR}/x ${HOME} $HOME $ARGUMENTSX ${toString}', '')).toBe(
      '/s/x ${HOME} $HOME $ARGUMENTSX ${toString}',
    );
  });

  it('keeps a placeholder behind one backslash', () => {
    expect(fill(String.raw`\$1.00 \$ARGUMENTS \\$0 \$HOME \${CLAUDE_SKILL_DIR}`, 'x y')).toBe(
      String.raw`$1.00 $ARGUMENTS \\x \$HOME \/s`,
    );
  });

  it('never reads a value as a placeholder', () => {
    expect(fill('$0 $1', '$1 $ARGUMENTS')).toBe('$1 $ARGUMENTS');
  });

  it('knows whether a text takes arguments', () => {
    const texts = ['$ARGUMENTS', '$0', '$ARGUMENTS[3]', '$name', String.raw`\$0`, '${HOME}', '$5x'];
    expect(texts.map((text) => takesArguments(text, ['name']))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('splits arguments like a shell', () => {
    expect(splitArguments(`a  "b c" 'd e'f it's "" "open`)).toEqual([
      'a',
      'b c',
      'd ef',
      "it's",
      '',
      '"open',
    ]);
  });

  it('takes a time in the order of the length, whatever the text is', () => {
    const hostile = ['\\', '$', '!`', '```!\n', '@"', '$ARGUMENTS[', '"'].map((part) =>
      part.repeat(400_000 / part.length),
    );
    const from = process.cpuUsage();
    for (const text of hostile) {
      fill(text, 'x');
      takesArguments(text, []);
      splitText(text);
      findMentions(text);
    }
    const { user, system } = process.cpuUsage(from); // other programs do not count
    expect((user + system) / 1_000).toBeLessThan(10_000); // the square of the length takes minutes
  });
});

describe('splitText', () => {
  it('finds commands at the start of a word, and blocks of commands', () => {
    expect(splitText('a !`ls -l` b\nKEY=!`no`\n```!\nnode -v\nnpm -v\n```\nend')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'command', command: 'ls -l' },
      { kind: 'text', text: ' b\nKEY=!`no`\n' },
      { kind: 'command', command: 'node -v\nnpm -v' },
      { kind: 'text', text: '\nend' },
    ]);
  });

  it('reads a block that does not end as a text', () => {
    expect(splitText('```!\nls')).toEqual([{ kind: 'text', text: '```!\nls' }]);
  });
});

describe('findMentions', () => {
  it('finds files that a text names, and no addresses or code', () => {
    const text = [
      'See @a.md, (@b/c.ts) and @"d e.md". Mail me@x.org or `@no.md`.',
      '```',
      '@neither.md',
      '```',
      '@a.md',
    ].join('\n');
    expect(findMentions(text)).toEqual(['a.md', 'b/c.ts', 'd e.md']);
  });
});

describe('describeSkills', () => {
  it('lists names and descriptions by name, and no skill that only people use or that is for some files', () => {
    const skills = [
      toSkill('b', 'Does  b.\nWell.', { whenToUse: 'If b is wanted.' }),
      toSkill('a', 'Does a.'),
      toSkill('c', 'Does c.', { disableModelInvocation: true }),
      toSkill('d', 'Does d.', { paths: ['*.md'] }),
      toSkill('e', 'Does e.', { folder: 'web' }),
    ];
    expect(describeSkills(skills, 8_000)).toBe('- a: Does a.\n- b: Does b. Well. If b is wanted.');
  });

  it('says which files a skill is for', () => {
    const skill = toSkill('a', 'Does a.', { paths: ['src/**', '*.md'], folder: 'web' });
    expect(describeSkill(skill)).toBe('- a: Does a. (for files like src/**, *.md in web)');
  });

  it('cuts the longest descriptions first', () => {
    const skills = [
      toSkill('a', 'short'),
      toSkill('b', 'x'.repeat(500)),
      toSkill('c', 'y'.repeat(90)),
    ];
    const text = describeSkills(skills, 200);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text.split('\n').map((line) => line.length)).toEqual([10, 93, 93]);
  });

  it('cuts one description at the published limit', () => {
    expect(describeSkills([toSkill('a', 'x'.repeat(5_000))], 100_000).length).toBe(5 + 1_536);
  });

  it('lists names alone if the budget is small, and counts those that do not fit', () => {
    const skills = Array.from({ length: 2_000 }, (_, at) => toSkill(`s${at}`, 'x'.repeat(100)));
    const lines = describeSkills(skills, 8_000).split('\n');
    expect(lines[0]).toBe('- s0');
    expect(lines.at(-1)).toBe(`(${2_000 - lines.length + 1} more skills are not listed)`);
    expect(lines.join('\n').length).toBeLessThan(8_100);
  });
});

function toSkill(name: string, description: string, more: Partial<Skill> = {}): Skill {
  return { ...GREETING, name, description, file: `/skills/${name}/SKILL.md`, ...more };
}
