import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bashCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createFolder, createTroupe } from '../../support/troupe.js';

/** The output of commands in a session in which `sed` is a program that prints its arguments. */
async function outputsOf(commands: readonly string[], allow: readonly string[] = []) {
  const bin = await createFolder();
  await writeFile(join(bin, 'sed'), '#!/bin/sh\necho "$@"\n');
  await chmod(join(bin, 'sed'), 0o755);
  const results: string[] = [];
  const script = playParts({
    main: [
      { tools: commands.map((command) => bashCall(command)) },
      ({ messages }) => {
        results.push(...newestResults(messages).map(resultText));
        return { text: 'Done.' };
      },
    ],
  });
  const { troupe } = await createTroupe(script, {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    permissions: { ...ASK_FIRST, alwaysAllowRules: { session: allow } },
    files: { a: '' },
  });
  await troupe.session({ prompt: 'Go.' }).outcome;
  return results.map((text) => text.split('\n')[0]);
}

it('a shell runs sed with --sandbox if sed is allowed because it only reads', async () => {
  const commands = ['sed p a', 'cat a | timeout 5 sed p', 'echo a | xargs sed -n p', '(sed p a)'];
  expect(await outputsOf(commands)).toEqual([
    '--sandbox p a',
    '--sandbox p',
    '--sandbox -n p a',
    '--sandbox p a',
  ]);
});

it('a shell runs sed as written if a rule allows it', async () => {
  expect(await outputsOf(['sed p a'], ['Bash(sed *)'])).toEqual(['p a']);
});
