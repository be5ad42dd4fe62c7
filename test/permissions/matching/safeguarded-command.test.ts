import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import type { Proposal } from '../../../src/permissions/proposal.js';
import { safeguardedCommand } from '../../../src/permissions/matching/safeguarded-command.js';
import { contextOf, shellFacts, type Rules } from '../corpus.js';

/** The command that runs for each command line; undefined if it runs as written. */
function runs(commands: readonly string[], rules: Rules = {}, proposal?: Proposal) {
  const context = contextOf(rules);
  return commands.map((command) => {
    const facts = shellFacts(command);
    return safeguardedCommand(facts, context, decide(facts, context, proposal));
  });
}

describe('a sed that no rule allows', () => {
  it('runs with --sandbox, wherever it stands', () => {
    expect(
      runs([
        'sed -n 1p a',
        'sed -n 1p a | sed p; (sed p b) && { sed p c; }',
        'cat a | timeout 5 nice sed p',
        "echo a | xargs sed -n '1p'",
        'for f in a b; do sed p a; done',
        's"e"d p a',
        'se\\\nd p \\\n a',
        'NO_COLOR=1 sed p a',
        '< a sed p',
      ]),
    ).toEqual([
      'sed --sandbox -n 1p a',
      'sed --sandbox -n 1p a | sed --sandbox p; (sed --sandbox p b) && { sed --sandbox p c; }',
      'cat a | timeout 5 nice sed --sandbox p',
      "echo a | xargs sed --sandbox -n '1p'",
      'for f in a b; do sed --sandbox p a; done',
      's"e"d --sandbox p a',
      'sed --sandbox p  a',
      'NO_COLOR=1 sed --sandbox p a',
      '< a sed --sandbox p',
    ]);
  });

  it('has it in every mode that accepts it by itself', () => {
    const edit = 'sed -i s/a/b/ a';
    expect(runs([edit], { mode: 'acceptEdits' })).toEqual(['sed --sandbox -i s/a/b/ a']);
    expect(runs(['sed p a'], { mode: 'plan' })).toEqual(['sed --sandbox p a']);
    expect(runs(['sed p a'], { mode: 'dontAsk' })).toEqual(['sed --sandbox p a']);
  });

  it('has it beside commands that a rule allows', () => {
    expect(runs(['sed p a | npm test', 'sed p a > out'], { allow: ['Bash(npm *)'] })).toEqual([
      'sed --sandbox p a | npm test',
      undefined,
    ]);
    expect(runs(['sed p a > out'], { allow: ['Edit(out)'] })).toEqual(['sed --sandbox p a > out']);
  });
});

describe('a command line', () => {
  it('runs as written if a rule, a hook or a mode allows all of it, or if it is not allowed', () => {
    const commands = ['sed p a', 'sed e a', 'ls; cat a'];
    const asWritten = [undefined, undefined, undefined];
    expect(runs(commands, { allow: ['Bash(sed *)'] })).toEqual(asWritten);
    expect(runs(commands, { mode: 'bypassPermissions' })).toEqual(asWritten);
    expect(runs(['sed e a', 'ls'])).toEqual([undefined, undefined]);
    const hook = { behavior: 'allow', reason: { type: 'hook', hookName: 'h' } } as const;
    expect(runs(['sed e a'], {}, hook)).toEqual([undefined]);
  });
});
