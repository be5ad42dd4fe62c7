import { describe, expect, it } from 'vitest';
import { deniesRead } from '../../../src/permissions/matching/denies-read.js';
import { contextOf, place } from '../corpus.js';

const ENV = '/home/u/proj/sub/.env';

describe('deniesRead', () => {
  it.each([
    [{}, false],
    [{ deny: ['Read(.env)'] }, true],
    [{ deny: ['Read(**/sub/**)'] }, true],
    [{ deny: ['Read(//home/u/proj/sub/**)'] }, true],
    [{ deny: ['Read'] }, true],
    [{ deny: ['Read(other)', 'Bash(cat *)', 'Edit(.env)'] }, false],
    [{ ask: ['Read(.env)'] }, true],
    [{ allow: ['Read(.env)'] }, false],
    [{ deny: ['Read(.env)'], allow: ['Read(.env)'], mode: 'bypassPermissions' as const }, true],
  ])('judges a file by %j: %s', (rules, expected) => {
    expect(deniesRead(contextOf(rules), place, ENV)).toBe(expected);
  });

  it('takes a rule that asked for the search itself as answered, and no other', () => {
    const context = contextOf({ ask: ['Read(sub/**)'] });
    expect(deniesRead(context, place, ENV, ['/home/u/proj/sub'])).toBe(false);
    expect(deniesRead(context, place, ENV, ['/home/u/proj'])).toBe(true);
    const denied = contextOf({ ask: ['Read(sub/**)'], deny: ['Read(.env)'] });
    expect(deniesRead(denied, place, ENV, ['/home/u/proj/sub'])).toBe(true);
  });
});
