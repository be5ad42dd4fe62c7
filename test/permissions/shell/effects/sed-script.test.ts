import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectOf } from '../../../../src/permissions/shell/effects/command-effect.js';
import { isHarmlessSedScript } from '../../../../src/permissions/shell/effects/sed-script.js';
import { HERE } from '../../../../src/permissions/shell/arguments/pattern-arguments.js';
import { sedArguments } from './sed-scripts.js';

const COUNT = process.env['TROUPE_DEEP'] === undefined ? 200 : 20_000;

const HARMLESS = [
  '1,20p',
  '$!d',
  '/a/,/b/p',
  '\\,a/b,d',
  '0,/x/Id',
  '2,+3p;5,~4!d',
  's/a/b/g;s|a|b|2;s_a_b_p',
  's/[/]/x/',
  's/[^/]*$//',
  's/[]/]/x/;/[^]/]/d',
  's/[[:space:]/]*$//;s/[[.-.]/]/x/;s/[[=a=]/]/x/',
  's/[\\/]/x/',
  '/[[a]/p',
  's,[,],x,',
  's/a\\/b/[/',
  'y/abc/[]x/',
  's/a/b\\\nc/',
  '/^#/d # a comment; w is no command here',
  '# only a comment',
  ':a;N;$!ba;s/\\n/ /g',
  '$a\\done',
  'a\\\n  text\\\nw is text',
  '1i a\\tb;w',
  '$!{N;P;D}',
  '1{p;q 5}',
  'l 80',
];

const HARMFUL = [
  's/[/]/;s/e;#/x/',
  '/[/s/]/e id #',
  's,[,],;s,e;#,x,',
  's/[]/]/;s/e;#/x/',
  's/[^/]/;s/e;#/x/',
  's/[[:space:]/]/;s/e;#/x/',
  's/[[.-.]/]/;s/e;#/x/',
  's/a/b/e',
  's/a/b/gw x',
  's/a/b/;w x',
  '1!e',
  'R x',
  'a\\\\\nx\nw y',
  'a\\ \nw x',
  'a x\nw y',
  'y/[/]/;e id',
  's/a/[/;e id #]/',
  '# c\ne id',
  'b;w x',
  '{p}\nw x',
];

/** Not followed, though they do no harm. */
const UNKNOWN = [
  's/[[:al/]/x/',
  's/[[.a/]/x/',
  's/[a/x/',
  'sxaxbx',
  's[a[b[',
  's;a;b;',
  'séaébé',
  'a\\',
  's/a/b',
];

describe('the reader of sed scripts', () => {
  it('knows scripts that select and change text', () => {
    expect(HARMLESS.filter((script) => !isHarmlessSedScript(script))).toEqual([]);
  });

  it('does not approve what runs, reads or writes, or what it does not understand', () => {
    expect([...HARMFUL, ...UNKNOWN].filter(isHarmlessSedScript)).toEqual([]);
  });

  it('takes sets of characters for what GNU sed takes them for', () => {
    expect(judgeBySed(HARMLESS.map((script) => [script]))).toEqual(HARMLESS.map(() => 'accepted'));
    expect(judgeBySed(HARMFUL.map((script) => [script]))).toEqual(HARMFUL.map(() => 'refused'));
  });

  it('approves nothing that sed refuses in its sandbox, whatever the script', () => {
    const all = fc.sample(sedArguments, { numRuns: 4 * COUNT, seed: 7 });
    const approved = all.filter(isApproved).slice(0, COUNT);
    expect(approved.length).toBe(COUNT);
    const judged = judgeBySed(approved);
    expect(approved.filter((_, index) => judged[index] === 'refused')).toEqual([]);
    expect(judged.filter((one) => one === 'accepted').length).toBeGreaterThan(COUNT / 2);
  }, 600_000);
});

function isApproved(words: readonly string[]): boolean {
  const command = ['sed', ...words].map((text) => ({ ...HERE, text, raw: text }));
  return effectOf(command) === 'readOnly';
}

/** The result of `sed --sandbox` for each list of arguments; sed reports a refusal as an error of syntax too. */
function judgeBySed(
  all: readonly (readonly string[])[],
): readonly ('accepted' | 'refused' | 'wrong')[] {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-sed-'));
  try {
    const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
    const lines = all.map((words) => `judge ${words.map(quote).join(' ')}`);
    const judge = `judge() {
      if said=$(sed --sandbox "$@" /dev/null 2>&1 >/dev/null); then echo accepted
      else case $said in *sandbox*) echo refused;; *) echo wrong;; esac; fi
    }`;
    writeFileSync(join(folder, 'run'), [judge, ...lines].join('\n'));
    const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
    const said = execFileSync('bash', ['run'], { cwd: folder, env, encoding: 'utf8' });
    return said.trim().split('\n') as never; // one word a line
  } finally {
    rmSync(folder, { recursive: true });
  }
}
