import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../src/processes/process-supervisor.js';
import type { ShellCommand } from '../../src/processes/run/run-command.js';
import { countProcesses, hidden, uniqueSeconds, until } from './processes.js';

let folder: string;
let processes: ProcessSupervisor;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'processes-test-')));
});

afterEach(async () => {
  await processes.close();
  rmSync(folder, { recursive: true });
});

function run(command: string, more: Partial<ShellCommand> = {}) {
  return processes.run({
    taskId: 'b00000001',
    command,
    cwd: folder,
    env: process.env,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: () => {},
    outputFile: join(folder, 'output'),
    ...more,
  });
}

describe.each(['auto', 'marker'])('a command (TROUPE_CONTAINMENT=%s)', (containment) => {
  beforeEach(() => {
    processes = createProcessSupervisor({
      env: { ...process.env, TROUPE_CONTAINMENT: containment },
      temporaryFolder: folder,
    });
  });

  it('ends with its output, its exit code and where it was', async () => {
    const result = await run('cd /usr; echo out; echo error >&2; exit 3');
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'error\n',
      isTimedOut: false,
      isAborted: false,
      isTruncated: false,
      cwd: '/usr',
      outputBytes: 10,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      durationMs: result.endedAt - result.startedAt,
    });
  });

  it.each([
    ['in a folder that it removed', 'mkdir -p t/u && cd t/u && rm -r ../../t; echo fine', true],
    ['after it wrote to the hold file', 'echo fine | tee f; cat f >&250', undefined],
    ['after it began a line of the hold file', 'echo fine; printf "7" >&250', undefined],
  ])('ends well %s', async (_, command, isCwdGone) => {
    const { exitCode, signal, stdout, cwd, ...rest } = await run(command);
    expect({ exitCode, signal, stdout, cwd }).toEqual({
      exitCode: 0,
      signal: null,
      stdout: 'fine\n',
      cwd: folder,
    });
    expect(rest.isCwdGone).toBe(isCwdGone);
  });

  it('is not ended by a signal if it wrote to the hold file and says nothing at its end', async () => {
    const { exitCode, signal } = await run('echo text >&250; exec sh -c "exit 4"');
    expect({ exitCode, signal }).toEqual({ exitCode: 4, signal: null });
  });

  it.each([
    ['true', 0, null],
    ['exit 255', 255, null],
    ['exit 143', 143, null],
    ['exit 130', 130, null],
    ['sh -c "kill -KILL \\$\\$"', 137, null],
    ['kill -TERM $$', null, 'SIGTERM'],
    ['kill -INT $$', null, 'SIGINT'],
    ['kill -PIPE $$', null, 'SIGPIPE'],
    ['kill -KILL $$', null, 'SIGKILL'],
    ['exec sh -c "kill -HUP \\$\\$"', null, 'SIGHUP'],
    ['no-such-command', 127, null],
    ['echo "never closed', 2, null],
    ['trap "exit 7" EXIT; exit 1', 7, null],
    ['trap "exit 9" TERM; kill $$; sleep 5', 9, null],
    ['set -e; false; echo not reached', 1, null],
  ])('%s: exit code %s, signal %s', async (command, exitCode, signal) => {
    const result = await run(command);
    expect({ exitCode: result.exitCode, signal: result.signal }).toEqual({ exitCode, signal });
  });

  it.each([
    ['cd sub', 'sub'],
    ['cd sub; exit 4', 'sub'],
    ['cd sub; (cd /usr); false', 'sub'],
    ['cd link', 'sub'],
    ['cd sub\nfi', 'sub'],
    ['cd sub; set -eu; echo $unset', 'sub'],
    ['cd sub; set -x; true', 'sub'],
    ['exec 3>file; cd sub; echo text >&3', 'sub'],
    ['cd "with\nnewline"', 'with\nnewline'],
    // These cannot report their folder:
    ['cd sub; exec true', ''],
    ['cd sub; trap "echo mine" EXIT', ''],
    ['cd sub; kill -KILL $$', ''],
  ])('%j ends in ./%s', async (command, expected) => {
    for (const name of ['sub', 'with\nnewline']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'sub'), join(folder, 'link'));
    expect((await run(command)).cwd).toBe(expected === '' ? folder : join(folder, expected));
  });

  it('has the output of the command alone, also if the shell is traced or killed', async () => {
    const { stdout, stderr } = await run('echo $0 $#; set -x; kill -TERM $$');
    expect({ stdout, stderr: stderr.replace(/\d+/, 'PID') }).toEqual({
      stdout: '/bin/bash 0\n',
      stderr: '+ kill -TERM PID\n',
    });
  });

  it('has no input and no terminal', async () => {
    expect((await run('cat; test -t 0 || echo none')).stdout).toBe('none\n');
  });

  it('sees descriptor 3 closed, as in any shell', async () => {
    expect((await run('echo text 2>/dev/null >&3 || echo closed')).stdout).toBe('closed\n');
  });

  it('writes both streams to the file in the order in which they come', async () => {
    const chunks: string[] = [];
    const wait = `until grep -q "$1" '${join(folder, 'output')}'; do sleep 0.01; done`;
    const result = await run(
      `comes() { ${wait}; }; for i in 1 2 3; do echo o$i; comes o$i; echo e$i >&2; comes e$i; done`,
      {
        onOutput: (chunk) => chunks.push(chunk),
      },
    );
    const expected = 'o1\ne1\no2\ne2\no3\ne3\n';
    expect([readFileSync(join(folder, 'output'), 'utf8'), chunks.join('')]).toEqual([
      expected,
      expected,
    ]);
    expect([result.stdout, result.stderr]).toEqual(['o1\no2\no3\n', 'e1\ne2\ne3\n']);
  });

  it('passes only whole characters on', async () => {
    const chunks: string[] = [];
    const untilSeen = (count: number) => `until [ -e seen-${count} ]; do sleep 0.01; done`;
    const command = String.raw`printf 'a\xf0\x9f'; ${untilSeen(1)}; printf '\x98\x80\xc3'; ${untilSeen(2)}; printf '\xa4'`;
    const { stdout } = await run(command, {
      onOutput(chunk) {
        chunks.push(chunk);
        writeFileSync(join(folder, `seen-${chunks.length}`), '');
      },
    });
    expect({ stdout, chunks }).toEqual({ stdout: 'a😀ä', chunks: ['a', '😀', 'ä'] });
  });

  it('keeps the beginning and the end of a long output, and a bounded file', async () => {
    const result = await run('yes ä | head -n 1000000', { maxOutputBytes: 1_000_001 });
    const file = readFileSync(join(folder, 'output'), 'utf8');
    expect({
      isTruncated: result.isTruncated,
      outputBytes: result.outputBytes,
      hasBrokenCharacter: result.stdout.includes('\ufffd') || file.includes('\ufffd'),
      gap: /^(?:ä\n?)+\n\[\d+ bytes left out here; the output is in .*\]\n(?:\n?ä)+\n$/.test(
        result.stdout,
      ),
      end: file.slice(-70),
      fileSize: Buffer.byteLength(file) < 1_000_100,
    }).toEqual({
      isTruncated: true,
      outputBytes: 3_000_000,
      hasBrokenCharacter: false,
      gap: true,
      end: expect.stringContaining('more than 1000001 bytes of output.]\n'),
      fileSize: true,
    });
  });

  it('knows by CLAUDECODE=1 that an agent runs it', async () => {
    const { stdout } = await run('bash -c \'echo "$CLAUDECODE"\'');
    expect(stdout).toBe('1\n');
  });

  it('does not hear of start-up files, functions, options and keys of the outside', async () => {
    const env = {
      ...process.env,
      BASH_ENV: '/nowhere',
      ENV: '/nowhere',
      'BASH_FUNC_ls%%': '() { echo fake; }',
      SHELLOPTS: 'xtrace',
      CDPATH: '/usr',
      ANTHROPIC_API_KEY: 'secret',
      ANTHROPIC_AUTH_TOKEN: 'secret',
      KEPT: 'kept',
    };
    const { stdout, stderr } = await run(
      'type -t ls; echo "$BASH_ENV$ENV$CDPATH$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN$KEPT"; env | grep -c -e nowhere -e secret',
      { env },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'file\nkept\n0\n', stderr: '' });
  });

  it('does not wait for what it leaves running', async () => {
    const seconds = uniqueSeconds();
    const { stdout, durationMs } = await run(`${hidden(seconds)}; sleep $m & echo done`);
    expect({ stdout, left: countProcesses(`${seconds}`) }).toEqual({ stdout: 'done\n', left: 0 });
    expect(durationMs).toBeLessThan(1_000);
  });

  it('may clean up when it is stopped', async () => {
    const controller = new AbortController();
    const result = await run(
      'trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.05; done',
      {
        signal: controller.signal,
        onOutput: (chunk) => chunk === 'ready\n' && controller.abort(),
      },
    );
    expect([result.stdout, result.exitCode, result.isAborted]).toEqual(['ready\nbye\n', 5, true]);
  });

  it('is killed after its grace if it ignores SIGTERM', async () => {
    const controller = new AbortController();
    const result = await run('trap "" TERM; echo ready; while :; do sleep 1; done', {
      signal: controller.signal,
      onOutput: (chunk) => chunk === 'ready\n' && controller.abort(),
    });
    expect([result.signal, result.exitCode, result.isTimedOut, result.isAborted]).toEqual([
      'SIGKILL',
      null,
      false,
      true,
    ]);
    expect(result.stderr).toBe('');
  });

  it('does not start when it is aborted before', async () => {
    const result = await run('touch started', { signal: AbortSignal.abort() });
    expect([result.isAborted, result.exitCode]).toEqual([true, null]);
  });

  it('runs after everything in the temporary folder was removed, also while it ran', async () => {
    const emptied = await run(`rm -r ${folder}/troupe-*; cd /usr; echo emptied`);
    expect([emptied.exitCode, emptied.stdout, emptied.cwd]).toEqual([0, 'emptied\n', '/usr']);
    const next = await run('cd /usr; echo next');
    expect([next.exitCode, next.stdout, next.cwd]).toEqual([0, 'next\n', '/usr']);
    rmSync(
      join(
        folder,
        readdirSync(folder).find((name) => name.startsWith('troupe-'))!,
      ),
      {
        recursive: true,
      },
    );
    const service = await processes.startService({
      taskId: 'm00000001',
      command: 'cat',
      args: [],
      cwd: folder,
      env: process.env,
    });
    expect(await service.end()).toEqual({ exitCode: 0, signal: null });
  });

  it('is ended at its time although its first process is stopped', async () => {
    const running = run('sleep 600', { timeoutMs: 500 });
    await until('it runs', () => processes.list().length === 1);
    process.kill(processes.list()[0]!.pid, 'SIGSTOP'); // one runs
    const { isTimedOut, signal } = await running;
    expect([isTimedOut, signal]).toEqual([true, 'SIGKILL']);
    expect(processes.list()).toEqual([]);
  });

  it('is refused in a folder that is not there', async () => {
    await expect(run('true', { cwd: join(folder, 'gone') })).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
      message: expect.stringContaining('gone is not a directory'),
    });
  });

  it('is refused if its output cannot be written', async () => {
    const outputFile = join(folder, 'no', 'folder');
    await expect(run('true', { outputFile })).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
      cause: { code: 'ENOENT' },
    });
  });

  it('is refused when it is too long for the kernel', async () => {
    await expect(run(`true ${'x'.repeat(200_000)}`)).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
      message: expect.stringContaining('too long'),
    });
  });

  it('ends within half a second beside 49 others that will not', async () => {
    const seconds = uniqueSeconds();
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const runs = controllers.map(({ signal }, index) =>
      run(
        `${hidden(seconds)}; trap '' TERM; setsid sh -c 'trap "" TERM; exec sleep '$m & sleep $m`,
        { taskId: `b${index}`, outputFile: join(folder, `output-${index}`), signal },
      ),
    );
    const isUp = () => countProcesses(`sleep\0${seconds}`) === 100;
    await until('100 processes', isUp);
    const before = performance.now();
    for (const controller of controllers) controller.abort();
    const results = await Promise.all(runs);
    const elapsedMs = Math.round(performance.now() - before);
    console.info(`${containment}: 50 stubborn groups gone after ${elapsedMs} ms`);
    expect(results.every((each) => each.isAborted)).toBe(true);
    expect(countProcesses(`${seconds}`)).toBe(0);
    expect(elapsedMs).toBeLessThan(1_500); // 500 on an otherwise idle machine
  });
});

describe('the supervisor', () => {
  beforeEach(() => {
    processes = createProcessSupervisor({ env: process.env, temporaryFolder: folder });
  });

  it('looks at nothing for a task that never ran a command', async () => {
    expect([await processes.sweep('b00000002'), await processes.close()]).toEqual([0, 0]);
  });

  it('lists what runs', async () => {
    const controller = new AbortController();
    const result = run('sleep 60', { signal: controller.signal });
    await until('it runs', () => processes.list().length === 1);
    const [live] = processes.list();
    expect(live).toEqual({
      pid: expect.any(Number),
      taskId: 'b00000001',
      command: 'sleep 60',
      startedAt: expect.any(Number),
    });
    controller.abort();
    await result;
    expect(processes.list()).toEqual([]);
  });

  it('refuses commands when it is closed', async () => {
    await processes.close();
    await expect(run('true')).rejects.toMatchObject({ code: 'PROCESS_SUPERVISOR_CLOSED' });
  });

  it('knows its own processes from those of another', async () => {
    const other = createProcessSupervisor({ env: process.env, temporaryFolder: folder });
    const result = run('echo up; sleep 0.5; echo finished');
    await until('it runs', () => processes.list().length === 1);
    await other.run({
      taskId: 'b00000001',
      command: 'true',
      cwd: folder,
      env: process.env,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      onOutput: () => {},
      outputFile: join(folder, 'other'),
    });
    expect(await other.close()).toBe(0);
    expect((await result).stdout).toBe('up\nfinished\n');
  });

  it('works below a folder that means something to bash', async () => {
    const odd = join(folder, '$(echo "x")`y`\\ \'z');
    mkdirSync(odd);
    const another = createProcessSupervisor({ env: process.env, temporaryFolder: odd });
    const { cwd } = await another.run({
      taskId: 'b00000001',
      command: 'cd /usr',
      cwd: folder,
      env: process.env,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      onOutput: () => {},
      outputFile: join(folder, 'another'),
    });
    await another.close();
    expect(cwd).toBe('/usr');
  });

  it('closes and sweeps if the folder for temporary files', async () => {
    const lost = createProcessSupervisor({ temporaryFolder: join(folder, 'gone') });
    const command = { taskId: 'b00000001', command: 'true', cwd: folder, env: {} };
    const more = { timeoutMs: 1_000, onOutput: () => {}, outputFile: join(folder, 'output') };
    const { signal } = new AbortController();
    await expect(lost.run({ ...command, ...more, signal })).rejects.toThrow('ENOENT');
    expect([await lost.sweep('b00000001'), await lost.close()]).toEqual([0, 0]);
  });

  it('says which hold is in force', async () => {
    const marker = createProcessSupervisor({
      env: { ...process.env, TROUPE_CONTAINMENT: 'marker' },
    });
    const wrong = createProcessSupervisor({ env: { TROUPE_CONTAINMENT: 'none' } });
    expect(['pid-namespace', 'marker', 'group']).toContain(await processes.containment());
    expect(await marker.containment()).toBe(process.platform === 'linux' ? 'marker' : 'group');
    await expect(wrong.containment()).rejects.toMatchObject({ code: 'USAGE' });
  });
});
