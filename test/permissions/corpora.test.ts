import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permissions/decide.js';
import {
  contextOf,
  pathFacts,
  readCorpus,
  shellFacts,
  type CorpusCase,
  type PathCase,
  type ShellCase,
} from './corpus.js';

/** Commands that are harmless and still asked for. The list may only become shorter. */
const STILL_ASKED: readonly string[] = [];

function misjudged<Case extends CorpusCase>(
  cases: readonly Case[],
  judge: (example: Case) => string,
): Record<'unsafe' | 'missedDeny' | 'falsePrompt' | 'other', readonly string[]> {
  const wrong = cases.filter((example) => judge(example) !== example.expect);
  const ids = (is: (given: string, expected: string) => boolean): readonly string[] =>
    wrong.filter((example) => is(judge(example), example.expect)).map(({ id }) => id);
  return {
    unsafe: ids((given, expected) => given === 'allow' && expected !== 'allow'),
    missedDeny: ids((given, expected) => given !== 'deny' && expected === 'deny'),
    falsePrompt: ids((given, expected) => given !== 'allow' && expected === 'allow'),
    other: ids((given, expected) => given === 'deny' && expected === 'ask'),
  };
}

describe('the corpora', () => {
  it('are decided as expected for shell commands', () => {
    const cases = readCorpus<ShellCase>('bash-permission');
    const judge = (example: ShellCase): string =>
      decide(shellFacts(example.command), contextOf(example)).behavior;
    expect(cases.length).toBe(206);
    expect(misjudged(cases, judge)).toEqual({
      unsafe: [],
      missedDeny: [],
      falsePrompt: STILL_ASKED,
      other: [],
    });
  });

  it('are decided as expected for paths', () => {
    const cases = readCorpus<PathCase>('path-permission');
    const judge = (example: PathCase): string =>
      decide(pathFacts(example.tool, example.path, example.symlinks), contextOf(example)).behavior;
    expect(cases.length).toBe(81);
    expect(misjudged(cases, judge)).toEqual({
      unsafe: [],
      missedDeny: [],
      falsePrompt: [],
      other: [],
    });
  });

  it('give a reason with every decision', () => {
    const silent = readCorpus<ShellCase>('bash-permission').filter(
      (example) =>
        decide(shellFacts(example.command), contextOf(example)).decisionReason === undefined,
    );
    expect(silent).toEqual([]);
  });
});
