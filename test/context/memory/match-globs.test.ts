import { describe, expect, it } from 'vitest';
import { matchGlobs } from '../../../src/context/memory/match-globs.js';

const matching = (globs: readonly string[], paths: string): readonly string[] =>
  paths.split(' ').filter(matchGlobs(globs));

describe('matchGlobs', () => {
  it('matches from the first folder on: a star stays in a folder, two cross folders', () => {
    const paths = 'a.ts src/a.ts src/b/a.ts src/a.js';
    expect(matching(['*.ts'], paths)).toEqual(['a.ts']);
    expect(matching(['**/*.ts'], paths)).toEqual(['a.ts', 'src/a.ts', 'src/b/a.ts']);
    expect(matching(['src/**'], paths)).toEqual(['src/a.ts', 'src/b/a.ts', 'src/a.js']);
    expect(matching(['./src/*'], paths)).toEqual(['src/a.ts', 'src/a.js']);
    expect(matching(['src/'], paths)).toEqual(['src/a.ts', 'src/b/a.ts', 'src/a.js']);
  });

  it('matches alternatives and sets, and any pattern of a list', () => {
    const paths = 'a.ts a.tsx b.ts lib/a.ts src/a.ts';
    expect(matching(['{src,lib}/*.{ts,tsx}'], paths)).toEqual(['lib/a.ts', 'src/a.ts']);
    expect(matching(['[ab].ts', 'lib/*'], paths)).toEqual(['a.ts', 'b.ts', 'lib/a.ts']);
    expect(matching(['a.ts{x,}'], paths)).toEqual(['a.ts', 'a.tsx']);
  });

  it('takes a pattern with thousands of alternatives literally', () => {
    const many = '{a,b}'.repeat(11);
    expect(matching([many], `${'a'.repeat(11)} ${many}`)).toEqual([many]);
  });
});
