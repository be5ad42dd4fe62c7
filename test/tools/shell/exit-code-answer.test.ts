import { describe, expect, it } from 'vitest';
import { isAnswer } from '../../../src/tools/shell/exit-code-answer.js';

describe('isAnswer', () => {
  it.each([
    'grep x file',
    'grep "a|b;c" file 2>/dev/null',
    "LC_ALL=C egrep -r '$(x)' .",
    '/usr/bin/rg pattern',
    'diff a b > changes 2>&1',
    'cmp a b',
    'test -e file',
    '[ -e file ]',
    'diff a\\;b c',
  ])('takes 1 of %j for an answer', (command) => {
    expect(isAnswer(command, 1)).toBe(true);
  });

  it.each([
    'grep x file | wc -l',
    'cd sub; grep x file',
    'grep x file && echo found',
    'grep x file &',
    '! grep x file',
    '(grep x file)',
    'git grep x',
    'grep x $(ls)',
    'make test',
    'echo "grep',
    'X=1',
    '',
  ])('takes 1 of %j for an error', (command) => {
    expect(isAnswer(command, 1)).toBe(false);
  });

  it('takes 2 of grep for an error', () => {
    expect(isAnswer('grep x missing', 2)).toBe(false);
  });
});
