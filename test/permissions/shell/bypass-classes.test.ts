import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PermissionBehavior } from '../../../src/core/permission-types.js';
import { decidedOtherwise, type Rules } from '../corpus.js';

type Example = Rules & {
  readonly cls: string;
  readonly expect: PermissionBehavior;
  readonly commands: readonly string[];
};

/** Cases of each class of the published bypasses, and harmless cases that look alike. */
const FIXTURE = new URL('../../fixtures/permissions/bypass-classes.jsonl', import.meta.url);

const deny = ['Bash(rm *)'];
const LONG: readonly Example[] = [
  {
    cls: 'compound-many',
    expect: 'allow',
    commands: [
      `${'ls; '.repeat(200)}ls`,
      `cat a${' | grep x'.repeat(100)}`,
      `${'ls && '.repeat(100)}pwd`,
      `${'(ls); '.repeat(80)}(ls)`,
      'ls\n'.repeat(300),
    ],
  },
  {
    cls: 'compound-many',
    expect: 'ask',
    commands: [
      `${'ls; '.repeat(200)}make`,
      `make; ${'ls; '.repeat(200)}ls`,
      `${'ls && '.repeat(100)}tee a`,
      `${'(ls); '.repeat(80)}(make)`,
      `${'ls\n'.repeat(300)}make`,
    ],
  },
  {
    cls: 'compound-many',
    expect: 'deny',
    deny,
    commands: [
      `${'ls; '.repeat(200)}rm a`,
      `${'ls | '.repeat(150)}rm a`,
      `${'(ls); '.repeat(80)}(rm a)`,
      `${'$('.repeat(60)}rm a${')'.repeat(60)}`,
      `${'"$('.repeat(40)}rm a`,
    ],
  },
  {
    cls: 'length',
    expect: 'allow',
    commands: [
      `echo ${'a'.repeat(9_995)}`,
      `echo ${'a '.repeat(4_990)}`,
      `echo '${' '.repeat(9_000)}'`,
      `cat ${'a/'.repeat(2_000)}b`,
      `ls #${'x'.repeat(9_000)}`,
    ],
  },
  {
    cls: 'length',
    expect: 'ask',
    commands: [
      `echo ${'a'.repeat(9_996)}`,
      `ls ${' '.repeat(10_000)}`,
      `ls #${'x'.repeat(10_000)}`,
      'ls;'.repeat(3_400),
      `${'\n'.repeat(10_000)}ls`,
    ],
  },
  {
    cls: 'length',
    expect: 'deny',
    deny,
    commands: [
      `rm ${'a'.repeat(20_000)}`,
      `echo ${'a'.repeat(10_000)}; rm a`,
      `rm a; echo ${'a'.repeat(10_000)}`,
      `(rm a) #${'x'.repeat(10_000)}`,
      `ls ${' '.repeat(10_000)}| rm a`,
    ],
  },
];

const examples = readFileSync(FIXTURE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example) // written for this test
  .concat(LONG);

describe.each([...new Set(examples.map(({ cls }) => cls))])('%s', (name) => {
  const cases = examples.filter(({ cls }) => cls === name);
  it.each(cases)('$expect in the mode $mode with $allow $deny $ask', (example) => {
    expect(decidedOtherwise(example.expect, example.commands, example)).toEqual([]);
    expect(example.commands.length).toBeGreaterThanOrEqual(5);
  });
});
