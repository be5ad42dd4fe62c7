import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PROTECTED_NAMES } from '../../../src/permissions/paths/protected.js';
import { createPlace, createSandboxed, whyNoBwrap, type Place } from './sandboxed-supervisor.js';

const missing = whyNoBwrap();
const AS_SOMEBODY = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

/** Let a server listen on a socket in a new folder below this one. @returns the new folder */
async function listenBelow(folder: string): Promise<string> {
  const own = mkdtempSync(join(folder, 'troupe-socket-'));
  const server = createServer();
  onTestFinished(() => {
    server.close();
    rmSync(own, { recursive: true, force: true });
  });
  await new Promise<void>((resolve) => server.listen(join(own, 'socket'), resolve));
  return own;
}

describe.skipIf(missing !== undefined)(`a command in bubblewrap${missing ?? ''}`, () => {
  let place: Place;
  let sandboxed: ReturnType<typeof createSandboxed>;

  beforeEach(() => {
    place = createPlace();
    sandboxed = createSandboxed(place, { mode: 'bwrap' });
  });
  afterEach(() => sandboxed.end());

  /** Exit code and stdout; a failed test shows stderr. */
  async function run(command: string, more = {}) {
    const { exitCode, stdout } = await sandboxed.run(command, more);
    return { exitCode, stdout };
  }

  it('ends with its output, its exit code and where it was', async () => {
    mkdirSync(join(place.workspace, 'sub'));
    const result = await sandboxed.run('cd sub; echo out | tee written; echo error >&2; exit 3');
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'error\n',
      isTimedOut: false,
      isAborted: false,
      isTruncated: false,
      cwd: join(place.workspace, 'sub'),
      outputBytes: 10,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      durationMs: result.endedAt - result.startedAt,
    });
    expect(readFileSync(join(place.workspace, 'sub/written'), 'utf8')).toBe('out\n');
  });

  it('cannot write outside the workspace', async () => {
    const { outside, home } = place;
    const paths = [join(outside, 'x'), join(home, '.bashrc'), '/etc/x', '/usr/x', '/run/x', '/x'];
    const { stdout } = await run(
      paths.map((path) => `(echo x >${path}) 2>/dev/null && echo ${path}`).join('; '),
    );
    expect({ stdout, outside: readdirSync(outside), home: readdirSync(home) }).toEqual({
      stdout: '',
      outside: [],
      home: [],
    });
  });

  it('cannot write through a link out of the workspace', async () => {
    const target = join(place.outside, 'target');
    writeFileSync(target, 'as it was');
    symlinkSync(target, join(place.workspace, 'file'));
    symlinkSync(place.outside, join(place.workspace, 'folder'));
    const { stdout } = await run(
      `for file in file folder/new folder/target; do (echo x >$file) 2>/dev/null && echo $file; done
       ln -s ${place.home} own; (echo x >own/new) 2>/dev/null && echo own`,
    );
    expect(stdout).toBe('');
    expect(readFileSync(target, 'utf8')).toBe('as it was');
    expect([...readdirSync(place.outside), ...readdirSync(place.home)]).toEqual(['target']);
  });

  it('cannot make, move or replace what is protected and missing, and leaves nothing of it', async () => {
    const { directories, files } = PROTECTED_NAMES;
    const attempts = [
      ...directories.map(
        (name) => `mkdir -p ${name}/x && echo ${name}; mv ${name} m && echo ${name}`,
      ),
      ...directories.map((name) => `rmdir ${name} && echo ${name}; ln -sfn /tmp ${name}`),
      ...directories.map((name) => `(echo x >${name}/x) && echo ${name}`),
      ...files.map((name) => `(echo x >${name}) && echo ${name}; rm -f ${name} && echo ${name}`),
      ...files.map((name) => `echo x >own; mv -f own ${name} && echo ${name}`),
    ];
    const { stdout } = await run(`{ ${attempts.join('\n')}\n } 2>/dev/null`);
    expect({ stdout, left: readdirSync(place.workspace) }).toEqual({ stdout: '', left: ['own'] });
  });

  it('cannot change what is protected and there', async () => {
    const { workspace } = place;
    mkdirSync(join(workspace, '.claude'));
    mkdirSync(join(workspace, '.config'));
    writeFileSync(join(workspace, '.npmrc'), 'as it was');
    const { stdout } = await run(
      `{ echo x >.npmrc && echo 1; rm .npmrc && echo 2; echo x >.claude/settings.json && echo 3
         mv .claude other && echo 4; mv .config other && echo 5; mkdir .config/git/x && echo 6
         echo x >.config/fine && cat .config/fine; } 2>/dev/null`,
    );
    expect(stdout).toBe('x\n');
    expect(readdirSync(workspace).toSorted()).toEqual(['.claude', '.config', '.npmrc']);
    expect(readdirSync(join(workspace, '.config'))).toEqual(['fine']);
    expect(readdirSync(join(workspace, '.claude'))).toEqual([]);
    expect(readFileSync(join(workspace, '.npmrc'), 'utf8')).toBe('as it was');
  });

  it('sees an unchanged work tree in the files that git reads', async () => {
    const { workspace } = place;
    const git = (...words: string[]) => execFileSync('git', words, { cwd: workspace });
    git('init', '--quiet');
    writeFileSync(join(workspace, 'new'), '');
    mkdirSync(join(workspace, 'sub'));
    expect(await run('git status --short && cd sub && git status --short')).toEqual({
      exitCode: 0,
      stdout: '?? new\n?? ../new\n',
    });
    expect(await run('echo x >.git/hooks/pre-commit')).toEqual({ exitCode: 1, stdout: '' });
  });

  it('reads a linked worktree', async () => {
    const repository = join(place.base, 'repository');
    const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
    mkdirSync(repository);
    git('init', '--quiet');
    git(...AS_SOMEBODY, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '--quiet', join(place.workspace, 'linked'));
    const linked = join(place.workspace, 'linked');
    writeFileSync(join(linked, 'new'), '');
    expect(await run('git status --short', { cwd: linked, workspace: [linked] })).toEqual({
      exitCode: 0,
      stdout: '?? new\n',
    });
  });

  it('cannot read secrets', async () => {
    const { home } = place;
    for (const name of ['.ssh', '.config/gcloud', '.troupe', '.claude'])
      mkdirSync(join(home, name), { recursive: true });
    const secrets = ['.ssh/id_rsa', '.config/gcloud/token', '.netrc', '.npmrc', '.troupe/x'];
    for (const name of secrets) writeFileSync(join(home, name), 'very secret');
    writeFileSync(join(home, 'notes'), 'readable\n');
    const { stdout } = await run(
      `cat ~/notes; cd ~; cat ${secrets.join(' ')} 2>/dev/null; ls .ssh; cat /etc/shadow 2>/dev/null; ls /run/* | grep -v -e troupe -e prelude -e '^$'`,
    );
    expect(stdout).toBe('readable\n');
  });

  it('cannot read secrets if the home folder is the workspace', async () => {
    const { home } = place;
    mkdirSync(join(home, '.ssh'));
    mkdirSync(join(home, '.claude'));
    const secrets = ['.ssh/id_rsa', '.claude/x', '.npmrc'];
    for (const name of secrets) writeFileSync(join(home, name), 'very secret');
    const { stdout } = await run(
      `{ cat ${secrets.join(' ')}; echo x >fine; cat fine; } 2>/dev/null`,
      {
        cwd: home,
        workspace: [home, join(place.base, 'not-there')],
      },
    );
    expect(stdout).toBe('x\n');
    expect(readdirSync(home).toSorted()).toEqual(['.claude', '.npmrc', '.ssh', 'fine']);
  });

  it('cannot move a secret away from where it is hidden', async () => {
    const { home } = place;
    const secret = join(home, '.local/share/keyrings/key');
    mkdirSync(dirname(secret), { recursive: true });
    writeFileSync(secret, 'very secret');
    const there = { cwd: home, workspace: [home] };
    const { stdout } = await run(
      '{ mv .local moved && echo 1; mv .local/share .local/moved && echo 2; echo x >.local/fine && cat .local/fine; } 2>/dev/null',
      there,
    );
    expect(stdout).toBe('x\n');
    expect(await run(`cat ${secret} */share/keyrings/key 2>/dev/null`, there)).toEqual({
      exitCode: 1,
      stdout: '',
    });
    expect(readFileSync(secret, 'utf8')).toBe('very secret');
  });

  it('cannot read a secret whose folder is a link', async () => {
    const kept = join(place.outside, 'keys');
    mkdirSync(kept);
    writeFileSync(join(kept, 'id_rsa'), 'very secret');
    symlinkSync(kept, join(place.home, '.ssh'));
    const { stdout } = await run(`cat ~/.ssh/id_rsa ${kept}/id_rsa 2>/dev/null`);
    expect(stdout).toBe('');
  });

  it('is refused if a folder of the workspace has become a link', async () => {
    await run('true');
    renameSync(place.workspace, join(place.base, 'moved'));
    symlinkSync(place.home, place.workspace);
    await expect(run('true')).rejects.toThrow('no longer leads to the same folder');
  });

  it('may write to the folders of the settings', async () => {
    const cache = join(place.home, '.cache');
    mkdirSync(cache);
    mkdirSync(join(place.workspace, '.vscode'));
    const open = createSandboxed(place, { mode: 'bwrap', writable: ['~/.cache', '.vscode'] });
    onTestFinished(async () => void (await open.processes.close()));
    const { exitCode } = await open.run('echo x >~/.cache/x && echo x >.vscode/x');
    expect(exitCode).toBe(0);
    expect([...readdirSync(cache), ...readdirSync(join(place.workspace, '.vscode'))]).toEqual([
      'x',
      'x',
    ]);
  });

  it('cannot change a setting of the kernel', async () => {
    // opened, nothing written: it is the machine's
    const { stdout } = await run(
      'for file in kernel/core_pattern kernel/modprobe vm/swappiness; do (exec 9>>/proc/sys/$file) 2>/dev/null && echo $file; done; cat /proc/sys/kernel/ostype',
    );
    expect(stdout).toBe('Linux\n');
  });

  it('has processes, devices and secrets of its own if the whole machine is the workspace', async () => {
    const sockets = ['/tmp', '/dev/shm'].filter((path) => existsSync(path)).map(listenBelow);
    const { exitCode, stdout, stderr } = await sandboxed.run(
      `ls -d ${(await Promise.all(sockets)).join(' ')} 2>/dev/null; echo x >${place.outside}/x; ls -d /proc/[0-9]* | wc -l; echo fine >/dev/null && cat /dev/null; (cat /etc/shadow || echo hidden) 2>/dev/null; (exec 9>>/proc/sys/vm/swappiness) 2>/dev/null || echo held`,
      { workspace: ['/'] },
    );
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^[3-9]\nhidden\nheld\n$/) as string,
      stderr: '',
    });
    expect(readdirSync(place.outside)).toEqual(['x']);
  });

  it('cannot lead git to another repository if a submodule is', async () => {
    const { workspace, base } = place;
    const library = join(base, 'library');
    const git = (cwd: string, ...words: string[]) =>
      execFileSync('git', [...AS_SOMEBODY, ...words], { cwd });
    for (const repository of [library, workspace]) {
      mkdirSync(repository, { recursive: true });
      git(repository, 'init', '--quiet');
      git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    }
    for (const name of ['lib/there', 'lib/bare'])
      git(
        workspace,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        library,
        name,
      );
    git(workspace, 'commit', '--quiet', '-m', 'x');
    git(workspace, 'submodule', '--quiet', 'deinit', 'lib/bare');
    const link = readFileSync(join(workspace, 'lib/there/.git'), 'utf8');
    const { stdout } = await run(
      `{ echo 'gitdir: /tmp/x' >lib/there/.git && echo 1; rm lib/there/.git && echo 2; mv lib/there lib/x && echo 3; mv lib x && echo 4
         mkdir lib/bare/.git && echo 5; mv lib/bare lib/y && echo 6; echo x >lib/there/file; git status --short; } 2>/dev/null`,
    );
    expect(stdout).toBe(' ? lib/there\n');
    expect(readFileSync(join(workspace, 'lib/there/.git'), 'utf8')).toBe(link);
    expect(readdirSync(join(workspace, 'lib/bare'))).toEqual([]);
  });

  it('finds no broken settings if there are none', async () => {
    expect((await run('cat .mcp.json pyrightconfig.json .npmrc')).stdout).toBe('{}\n{}\n');
  });

  it('runs outside if it was allowed to', async () => {
    await run(`echo x >${place.outside}/x`, { leavesSandbox: true });
    expect(readdirSync(place.outside)).toEqual(['x']);
  });

  it('works in a workspace below /tmp', async () => {
    const below = createPlace('/tmp');
    const deep = createSandboxed(below, { mode: 'bwrap' });
    onTestFinished(deep.end);
    const { stdout } = await deep.run(
      `echo x >x; cat x; (echo x >.envrc) 2>/dev/null || echo held; ls /tmp; (ls ${below.home} || echo hidden) 2>/dev/null`,
    );
    expect(stdout).toBe(`x\nheld\n${below.base.slice('/tmp/'.length)}\nhidden\n`);
    expect(readdirSync(below.workspace)).toEqual(['x']);
  });

  it('works in a workspace that is in /tmp itself', async () => {
    const below = createPlace('/tmp');
    const deep = createSandboxed({ ...below, workspace: below.base }, { mode: 'bwrap' });
    onTestFinished(deep.end);
    const { stdout } = await deep.run(
      '(echo x >x && cat x; mkdir home/a && ls home; (echo x >.envrc) || echo held; ls /tmp) 2>/dev/null',
    );
    expect(stdout).toBe(`x\na\nheld\n${below.base.slice('/tmp/'.length)}\n`);
    expect(readdirSync(below.home)).toEqual(['a']);
  });
});
