import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAG_NAMES, RUN_FLAGS } from '../../../src/cli/arguments/flags.js';
import { COMMAND_NAMES } from '../../../src/cli/command-table/commands.js';
import { bashScript } from '../../../src/cli/completion/bash.js';
import { fishScript } from '../../../src/cli/completion/fish.js';
import { zshScript } from '../../../src/cli/completion/zsh.js';
import { createFiles } from '../../support/files.js';

/** The words that bash offers for the last of these words. */
function complete(words: readonly string[], cwd = '/'): readonly string[] {
  const script = `${bashScript()}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_troupe
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd,
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Runs a shell over a script; undefined if the shell is not installed. */
function run(shell: string, args: readonly string[]): string | undefined {
  const { error, stdout, stderr, status } = spawnSync(shell, [...args], {
    encoding: 'utf8',
    env: { ...process.env, HOME: '/nonexistent' },
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return undefined;
  expect({ shell, stderr, status }).toEqual({ shell, stderr: '', status: 0 });
  return stdout;
}

describe('the script for bash', () => {
  it('is registered for the command', () => {
    expect(run('bash', ['--norc', '-c', `${bashScript()}\ncomplete -p troupe`])).toBe(
      'complete -F _troupe troupe\n',
    );
  });

  it('offers the subcommands for the first word', () => {
    expect(complete(['troupe', ''])).toEqual(COMMAND_NAMES);
    expect(complete(['troupe', 'ses'])).toEqual(['sessions']);
  });

  it('offers every flag of a run, and no other', () => {
    const offered = complete(['troupe', '-']);
    expect(offered.filter((name) => name.startsWith('--'))).toEqual(RUN_FLAGS);
    expect(offered).toContain('-p');
  });

  it('offers the flags of a subcommand', () => {
    expect(complete(['troupe', 'sessions', '--'])).toEqual([
      '--all',
      '--limit',
      '--json',
      '--help',
    ]);
    expect(complete(['troupe', 'completion', ''])).toEqual(['bash', 'zsh', 'fish']);
    expect(complete(['troupe', 'sessions', ''])).toEqual([]);
  });

  it('offers the values of a flag, also after "="', () => {
    expect(complete(['troupe', '-p', 'x', '--output-format', 'j'])).toEqual(['json']);
    expect(complete(['troupe', '--permission-mode', '=', 'pl'])).toEqual(['plan']);
    expect(complete(['troupe', '--input-format', '='])).toEqual(['text', 'json', 'stream-json']);
    expect(complete(['troupe', '--max-turns', ''])).toEqual([]);
  });

  it('offers files and folders for words that are paths', async () => {
    const folder = await createFiles({ 'my file.json': '{}', 'sub/x': '' });
    expect(complete(['troupe', '--settings', ''], folder).toSorted()).toEqual([
      'my file.json',
      'sub',
    ]);
    expect(complete(['troupe', '--add-dir', ''], folder)).toEqual(['sub']);
    expect(complete(['troupe', 'trust', join(folder, 's')])).toEqual([join(folder, 'sub')]);
  });
});

describe.each([
  ['zsh', zshScript],
  ['fish', fishScript],
] as const)('the script for %s', (shell, script) => {
  it('is well-formed, if the shell is there to say so', async () => {
    const folder = await createFiles({ script: script() });
    const answer = run(shell, ['-n', join(folder, 'script')]);
    expect([undefined, '']).toContain(answer);
  });

  it('has every subcommand and every flag', () => {
    const text = script();
    for (const name of COMMAND_NAMES) expect(text).toContain(name);
    for (const name of FLAG_NAMES)
      expect(text).toContain(shell === 'fish' ? `-l ${name.slice(2)}` : name);
  });
});

describe('the script for fish', () => {
  it('offers subcommands, flags and values', (context) => {
    const ask = (line: string): readonly string[] | undefined =>
      run('fish', ['--no-config', '-c', `${fishScript()}\ncomplete -C ${JSON.stringify(line)}`])
        ?.trim()
        .split('\n')
        .map((one) => one.split('\t')[0] ?? '');
    if (ask('troupe se') === undefined) context.skip('fish is not installed');
    expect(ask('troupe se')).toEqual(['sessions']);
    expect(ask('troupe --output-format j')).toEqual(['json']);
    expect(ask('troupe sessions --')).toEqual(['--all', '--help', '--json']);
  });
});

describe('the script for zsh', () => {
  it('can be read, and is registered', (context) => {
    const script = `autoload -Uz compinit && compinit -D -u\n${zshScript()}\nprint \${_comps[troupe]}\n`;
    const answer = run('zsh', ['-f', '-c', script]);
    if (answer === undefined) context.skip('zsh is not installed');
    expect(answer).toBe('_troupe\n');
  });
});
