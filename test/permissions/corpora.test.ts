import { describe, expect, it } from 'vitest';
import { judgeCase } from '../../src/permissions/eval/judge-case.js';
import { parseShell, readCorpus } from './corpus.js';

const CORPORA = [
  ['bash-permission', 206],
  ['bash-permission-2', 414],
  ['path-permission', 81],
  ['webfetch', 58],
] as const;

describe('the corpora', () => {
  it.each(CORPORA)('%s is decided as expected, %i cases', (name, count) => {
    const cases = readCorpus(name);
    const wrong = cases
      .map((example) => ({
        id: example.id,
        got: judgeCase(example, parseShell).behavior,
        want: example.expect,
      }))
      .filter(({ got, want }) => got !== want);
    expect(wrong).toEqual([]);
    expect(cases.length).toBe(count);
  });

  it.each(CORPORA)('%s: every decision has its reason', (name) => {
    const silent = readCorpus(name).filter(
      (example) => judgeCase(example, parseShell).decisionReason === undefined,
    );
    expect(silent).toEqual([]);
  });
});
