import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { openSandbox } from '../../../src/processes/sandbox/open-sandbox.js';
import { SandboxUnavailableError } from '../../../src/processes/sandbox/sandbox-unavailable-error.js';
import { createPlace, createSandboxed, type Place } from './sandboxed-supervisor.js';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => rmSync(place.base, { recursive: true, force: true }));

/** An environment whose PATH has a program of this name. */
function withProgram(name: string, text: string): NodeJS.ProcessEnv {
  const file = join(place.outside, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return { ...process.env, PATH: place.outside, HOME: place.home };
}

describe('a sandbox', () => {
  it('is undefined unless the settings ask for one', () => {
    expect([openSandbox(undefined, {}), openSandbox({ mode: 'none' }, {})]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is refused if bubblewrap is missing', () => {
    const open = () => openSandbox({ mode: 'bwrap' }, { PATH: place.outside });
    expect(open).toThrow(SandboxUnavailableError);
    expect(open).toThrow(
      'The sandbox "bwrap" does not work here: bwrap is not on the PATH. Install bubblewrap (apt-get install bubblewrap), or run without a sandbox.',
    );
  });

  it('is refused with the error of bubblewrap if it does not work', () => {
    const env = withProgram(
      'bwrap',
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
    );
    expect(() => openSandbox({ mode: 'bwrap' }, env)).toThrow(
      /The sandbox "bwrap" does not work here: bwrap: No permissions to create new namespace\. Allow user namespaces/,
    );
  });

  it.each([
    ['runs nothing', 'exit 0', 'it ended with 0'],
    ['swallows the exit code', '"$@"; exit 0', 'it ended with 0'],
    ['holds nothing back', 'exec "$@"', 'a command in it can write outside the workspace'],
    [
      'runs it elsewhere',
      'cd /usr/bin; cd "$(mktemp -d)" && exec "$@"',
      'files that it writes do not appear outside',
    ],
  ])('is refused if its launcher %s', (_, text, why) => {
    const { PATH, ...env } = withProgram('launcher', text);
    const command = [join(String(PATH), 'launcher')];
    expect(() =>
      openSandbox(
        { mode: 'external', command },
        { ...process.env, ...env, PATH: process.env['PATH'] },
      ),
    ).toThrow(`The sandbox "external" does not work here: ${why}`);
  });

  it('is refused without a launcher, and if it has no name that is known', () => {
    expect(() => openSandbox({ mode: 'external' }, {})).toThrow(UsageError);
    expect(() => openSandbox({ mode: 'docker' as 'bwrap' }, {})).toThrow(
      'Choose one of none, bwrap, external',
    );
  });

  it('leaves nothing of its trial', () => {
    vi.stubEnv('TMPDIR', place.temporary);
    const open = () => openSandbox({ mode: 'external', command: ['/bin/false'] }, {});
    expect(open).toThrow('it ended with 1');
    expect(readdirSync(place.temporary)).toEqual([]);
  });
});

/** A launcher that writes down its arguments; it holds back by making all but the workspace unwritable by name. */
const LAUNCHER = `
told=; while [ "$1" != -- ]; do told="$told$1
"; shift; done; shift
case $PWD in */troupe-sandbox-*) exec unshare -m sh -c 'mount --bind -o ro .. .. && mount --bind "$PWD" "$PWD" && mount -o remount,bind,rw "$PWD" && cd "$PWD" && exec "$@"' sh "$@" ;; esac
printf %s "$told" >told; exec "$@"`;

describe.runIf(process.getuid?.() === 0)('an external sandbox (root)', () => {
  it('gets the limits of the command, and passes files, environment and exit code through', async () => {
    const { PATH } = withProgram('launcher', LAUNCHER);
    mkdirSync(join(place.home, '.cache'));
    const sandboxed = createSandboxed(place, {
      mode: 'external',
      command: [`${PATH}/launcher`, '--cd={cwd}', '--net={network}', '--rw', '{writable}', '--'],
      writable: ['~/.cache'],
    });
    onTestFinished(sandboxed.end);
    const { exitCode, stdout, cwd } = await sandboxed.run(
      'mkdir sub; cd sub; echo $TMPDIR; exit 4',
    );
    expect({ exitCode, stdout, cwd }).toEqual({
      exitCode: 4,
      stdout: '/tmp\n',
      cwd: join(place.workspace, 'sub'),
    });
    expect(readFileSync(join(place.workspace, 'told'), 'utf8').split('\n')).toEqual([
      `--cd=${place.workspace}`,
      '--net=no',
      '--rw',
      place.workspace,
      join(place.home, '.cache'),
      '',
    ]);
  });
});
