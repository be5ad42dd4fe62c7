import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox } from '../../../src/processes/sandbox/open-sandbox.js';
import type { Sandbox } from '../../../src/processes/sandbox/sandbox.js';
import { countProcesses, hidden, uniqueSeconds } from '../processes.js';
import { createPlace, createSandboxed, whyNoBwrap, type Place } from './sandboxed-supervisor.js';

const missing = whyNoBwrap();

describe.skipIf(missing !== undefined)(`processes in bubblewrap${missing ?? ''}`, () => {
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

  it('reaches neither network nor the servers of this machine', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number }; // it listens
    const ask = `(exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9) 2>/dev/null; echo tried`;
    expect((await run(ask)).stdout).toBe('tried\n');
    const open = createSandboxed(createPlace(), { mode: 'bwrap', network: true });
    onTestFinished(open.end);
    expect((await open.run(ask)).stdout).toBe('reachedtried\n');
  });

  it('reaches no socket that a server of this machine has put into the file system', async () => {
    const paths = [join(place.outside, 'a socket'), join(place.workspace, 'socket')];
    for (const path of paths) {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    }
    const connect = (path: string): string =>
      `require('net').connect('${path}').on('connect', () => process.exit()).on('error', (error) => console.log(error.code))`;
    const { stdout } = await run(
      paths.map((path) => `"${process.execPath}" -e "${connect(path)}"`).join('; '),
    );
    expect(stdout).toBe('ECONNREFUSED\nECONNREFUSED\n');
  });

  it('starts if something that it was to be laid over has just gone', async () => {
    const settings = join(place.workspace, '.npmrc');
    writeFileSync(settings, '');
    const real = openSandbox({ mode: 'bwrap' }, { ...process.env, HOME: place.home });
    let count = 0;
    const fading: Sandbox = {
      kind: 'bwrap',
      confine(confinement) {
        const confined = real?.confine(confinement);
        count += 1;
        if (count === 1) rmSync(settings);
        if (confined === undefined) throw new Error('There is no sandbox.');
        return confined;
      },
    };
    const again = createSandboxed(place, { mode: 'bwrap' }, process.env, fading);
    onTestFinished(async () => void (await again.processes.close()));
    expect((await again.run('echo x')).stdout).toBe('x\n');
    expect({ count, left: readdirSync(place.workspace) }).toEqual({ count: 2, left: [] });
  });

  it('cannot fill what its supervisor reads at its end', async () => {
    const result = await sandboxed.run(
      'cd /usr; for size in 8T 3G; do truncate -s $size /proc/self/fd/250; done; exit 4',
    );
    expect(result).toMatchObject({ exitCode: 4, signal: null });
  });

  it('gets of the environment what it needs', async () => {
    const env = {
      ...process.env,
      ANTHROPIC_API_KEY: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      GH_TOKEN: 'c',
    };
    const { stdout } = await run('env', { env: { ...env, LC_ALL: 'C' } });
    const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'TMPDIR', 'TROUPE_MARK']));
    expect(
      names.filter((name) => /KEY|TOKEN|SECRET/.test(name) && !name.startsWith('GIT_')),
    ).toEqual([]);
  });

  it('keeps /tmp for later commands, and for nobody else', async () => {
    const name = `sandbox-${uniqueSeconds()}`;
    await run(`echo kept >/tmp/${name}`);
    expect((await run(`cat $TMPDIR/${name}`)).stdout).toBe('kept\n');
    expect(existsSync(`/tmp/${name}`)).toBe(false);
  });

  it('is gone with everything that it started', async () => {
    const seconds = uniqueSeconds();
    await run(`${hidden(seconds)}; setsid env -i sleep $m >/dev/null 2>&1 3>&- 250>&- & echo done`);
    expect(countProcesses(`${seconds}`)).toBe(0);
  });

  it('has time to clean up when its time is over', async () => {
    const seconds = uniqueSeconds();
    const result = await sandboxed.run(
      `${hidden(seconds)}; trap 'echo cleaned; exit' TERM; setsid sleep $m & wait`,
      { timeoutMs: 500 },
    );
    expect(result).toMatchObject({ isTimedOut: true, stdout: 'cleaned\n' });
    expect(countProcesses(`${seconds}`)).toBe(0);
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  it('is ended if it heeds nothing', async () => {
    const seconds = uniqueSeconds();
    const stop = new AbortController();
    const result = sandboxed.run(
      `${hidden(seconds)}; trap '' TERM; echo started; while :; do sleep $m; done`,
      { signal: stop.signal, onOutput: () => stop.abort() },
    );
    expect(await result).toMatchObject({ isAborted: true, exitCode: null, signal: 'SIGKILL' });
    expect(countProcesses(`${seconds}`)).toBe(0);
  });

  it('runs beside nineteen others, which all keep what is protected', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run(
          `sleep 0.${index % 5}; echo ${index} >f${index}; (echo x >.envrc) 2>/dev/null || echo held`,
        ),
      ),
    );
    expect(new Set(results.map(({ stdout }) => stdout))).toEqual(new Set(['held\n']));
    expect(readdirSync(place.workspace)).toHaveLength(20);
  });

  it('shares a workspace with the commands of another supervisor', async () => {
    const other = createSandboxed(place, { mode: 'bwrap' });
    onTestFinished(async () => void (await other.processes.close()));
    const long = run(
      'until [ -e go ]; do sleep 0.02; done; (echo x >.envrc) 2>/dev/null || echo held',
    );
    await other.run('echo x >go.part');
    renameSync(join(place.workspace, 'go.part'), join(place.workspace, 'go'));
    expect((await long).stdout).toBe('held\n');
    expect(readdirSync(place.workspace)).toEqual(['go']);
  });

  it('has a service inside that asks for it, which can read the workspace, and ends all of it', async () => {
    const seconds = uniqueSeconds();
    writeFileSync(join(place.workspace, 'file'), 'text');
    const write = 'echo x > /tmp/x; echo x > new || echo "$OWN" >&2';
    const script = `cat file >&2; ${write}; sleep ${seconds} & cat`;
    const service = await sandboxed.processes.startService({
      taskId: 's00000000',
      command: '/bin/sh',
      args: ['-c', script],
      cwd: place.workspace,
      env: process.env,
      confine: { env: { OWN: 'own' } },
    });
    let stderr = '';
    service.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    service.stdin.write('hello\n');
    expect(String((await once(service.stdout, 'data'))[0])).toBe('hello\n');
    expect(readdirSync(place.workspace)).toEqual(['file']);
    expect(countProcesses(`sleep\0${seconds}`)).toBe(1);
    service.kill();
    await service.ended;
    expect(stderr).toMatch(/^text.*new: .*\nown\n$/);
    await expect.poll(() => countProcesses(`sleep\0${seconds}`)).toBe(0);
  });
});
