import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { loadAnalysis } from '../../../src/permissions/shell/load-analysis.js';
import { isReadOnlyCommand } from '../../../src/permissions/shell/read-only.js';
import { contextOf, decidedOtherwise, shellFacts } from '../corpus.js';

const LONG = `echo ${'a '.repeat(6_000)}`;
const BYPASS = { mode: 'bypassPermissions' } as const;

describe('a command line that is too long to be taken apart', () => {
  it('is asked for, whatever rule with a pattern allows it, and runs in bypassPermissions', () => {
    expect(decidedOtherwise('ask', [LONG], { allow: ['Bash(echo *)'] })).toEqual([]);
    expect(decidedOtherwise('allow', [LONG], { allow: ['Bash'] })).toEqual([]);
    expect(decidedOtherwise('allow', [LONG], BYPASS)).toEqual([]);
  });

  it('is denied if it holds what a rule denies as text', () => {
    const denied = ['; curl x', '; cu"r"l x', "; $'\\x63url' x", '; c$e"u"rl x', '; cu\\\nrl x'];
    const lines = denied.map((end) => LONG + end);
    expect(decidedOtherwise('deny', lines, { ...BYPASS, deny: ['Bash(curl *)'] })).toEqual([]);
    const files = ['; cat .env', '; cat .e""nv', '; cat < ./.env'].map((end) => LONG + end);
    expect(decidedOtherwise('deny', files, { ...BYPASS, deny: ['Read(.env)'] })).toEqual([]);
  });

  it('is asked for in every mode if a rule that denies may be meant for it', () => {
    for (const rule of ['Bash(curl *)', 'Read(.env)', 'Edit(/locked/**)'])
      expect(decidedOtherwise('ask', [LONG], { ...BYPASS, deny: [rule] })).toEqual([]);
  });

  it('is asked for if it may remove too much or change a protected file', () => {
    const removing = ['; rm -rf /', '; r"m" -rf ~', ' && rm -r .. '].map((end) => LONG + end);
    expect(decidedOtherwise('ask', removing, BYPASS)).toEqual([]);
    expect(decidedOtherwise('ask', [`${LONG}> .npmrc`], { allow: ['Bash'] })).toEqual([]);
  });

  it('is decided in time, whatever it is made of', async () => {
    await loadAnalysis();
    const plain =
      'ls */*/|xargs -n |sudo -u |timeout -s |rm *?[|$(|"$(|`|${|a=~:|{a,b}|rm |; rm /|"|eval |$x |(|<(';
    const pieces = [...plain.split('|'), 'cat <<E\n', 'case a in ', '\\\n', "$'", "'"];
    const context = contextOf({ deny: ['Bash(curl *)', 'Read(.env)'], ask: ['Bash(git push *)'] });
    const slow = pieces.filter((piece) => {
      const line = `ls ${piece.repeat(200_000 / piece.length)}`;
      const from = process.cpuUsage();
      decide(shellFacts(line), context);
      isReadOnlyCommand(line);
      const { user, system } = process.cpuUsage(from); // other programs do not count
      return user + system > 1_000_000; // 250,000 is usual
    });
    expect(slow).toEqual([]);
  });
});
