import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { EVAL_PLACE, shellFacts } from '../../../src/permissions/eval/judge-case.js';
import { findExecutable } from '../../../src/processes/start/containment.js';
import { contextOf } from '../corpus.js';
import { denyLines } from './deny-lines.js';

const COUNT = process.env['TROUPE_DEEP'] === undefined ? 300 : 60_000;
const SEED = Number(process.env['TROUPE_DENY_SEED'] ?? 1);
/** So many of the denied lines are run to see that they would have run the program. */
const SAMPLE = 50;

/** The programs that commands find on the PATH besides the one that is denied: none that could do harm here. */
const PROGRAMS =
  'env timeout nice nohup stdbuf setsid xargs ionice taskset flock chrt cat find bash sh'.split(
    ' ',
  );

/** The sandbox for random lines, which run for real: they can write nothing outside of their folder. */
const BWRAP = findExecutable('bwrap', process.env);

it.skipIf(BWRAP === undefined)(
  'a rule that denies a program is not evaded in bypassPermissions: what is allowed does not run it',
  () => {
    const context = contextOf({ mode: 'bypassPermissions', deny: ['Bash(curl *)'] });
    const allowed: string[] = [];
    const denied: string[] = [];
    const lines = denyLines(SEED);
    for (let count = 0; count < COUNT; count++) {
      const line = lines.next().value;
      const { behavior } = decide(shellFacts(line, undefined, EVAL_PLACE), context);
      (behavior === 'allow' ? allowed : denied).push(line);
    }
    expect(linesThatRun(allowed)).toEqual([]);
    expect(linesThatRun(denied.slice(0, SAMPLE)).length).toBeGreaterThan(SAMPLE / 2);
  },
  1_200_000,
);

it.skipIf(BWRAP === undefined)(
  'such a line writes neither to its programs nor outside of its folder',
  () => {
    const outside = mkdtempSync(join(tmpdir(), 'troupe-outside-'));
    try {
      const kept = join(outside, 'kept');
      writeFileSync(kept, 'kept');
      const lines = [
        `echo x > ${kept}`,
        `echo x > "$(command -v env)"`,
        `echo x > ${findExecutable('env', process.env)}.x`,
        'env curl a',
      ];
      expect(linesThatRun(lines)).toEqual(['env curl a']);
      expect(readFileSync(kept, 'utf8')).toBe('kept');
      expect(existsSync(`${findExecutable('env', process.env)}.x`)).toBe(false);
    } finally {
      rmSync(outside, { recursive: true });
    }
  },
);

/** Arguments of bwrap: the folder alone is writable, its programs are not. */
function enclosedIn(folder: string): readonly string[] {
  const bin = join(folder, 'bin');
  return [
    '--ro-bind / / --dev /dev --proc /proc --unshare-all --die-with-parent --bind'.split(' '),
    [folder, folder, '--ro-bind', bin, bin, '--chdir', folder],
  ].flat();
}

/** The lines that run `curl`: a program that leaves a mark, in its own folder. */
function linesThatRun(lines: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-deny-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    mkdirSync(join(folder, 'work'));
    for (const program of PROGRAMS) {
      const path = findExecutable(program, process.env);
      if (path !== undefined) copyFileSync(path, join(bin, program)); // a line may write to it
    }
    writeFileSync(
      join(bin, 'curl'),
      `#!/bin/sh\ncase $0 in */curl) echo ran >> ${join(folder, 'ran')};; esac\n`,
    );
    chmodSync(join(bin, 'curl'), 0o755);
    writeFileSync(join(folder, 'lines'), lines.map((line) => `${line}\0`).join(''));
    writeFileSync(join(folder, 'run'), RUN);
    const env = { PATH: process.env['PATH'], BIN: bin };
    execFileSync(BWRAP ?? '', [...enclosedIn(folder), 'bash', 'run'], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    const hits = readFileSync(join(folder, 'hits'), 'utf8').split('\n').filter(Boolean);
    return hits.map((hit) => lines[Number(hit)] ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const RUN = `
: > hits
index=0
while IFS= read -r -d '' line; do
  rm -rf work; mkdir work; (cd work; for file in a curl env i nice; do : > $file; done)
  (cd work && exec timeout -s KILL 2 env -i PATH="$BIN" FUNCNEST=20 bash --noprofile --norc -c "$line") < /dev/null > /dev/null 2>&1
  if [ -e ran ]; then echo $index >> hits; rm -f ran; fi
  index=$((index + 1))
done < lines
`;
