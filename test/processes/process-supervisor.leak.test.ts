import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../src/processes/process-supervisor.js';
import {
  countEach,
  countProcesses,
  hidden,
  STUBBORN_IN_NAMESPACE,
  STUBBORN_KINDS,
  uniqueSeconds,
  until,
} from './processes.js';

let folder: string;
let hosts: ChildProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'processes-test-')));
});

afterEach(() => {
  for (const host of hosts) host.kill('SIGKILL');
  hosts = [];
  rmSync(folder, { recursive: true });
});

function createSupervisor(containment: string): ProcessSupervisor {
  return createProcessSupervisor({
    env: { ...process.env, TROUPE_CONTAINMENT: containment },
    temporaryFolder: folder,
  });
}

/** Every stubborn kind that this containment is for: its own number, and a command that starts it and waits for a line. */
function stubbornCommands(containment: string) {
  const kinds =
    containment === 'auto' ? { ...STUBBORN_KINDS, ...STUBBORN_IN_NAMESPACE } : STUBBORN_KINDS;
  const stubborn = Object.entries(kinds).map(([kind, start], index) => {
    const seconds = uniqueSeconds();
    const go = join(folder, `go-${index}`);
    return { kind, seconds, go, command: `${hidden(seconds)}; ${start}\nread -r line <${go}` };
  });
  execFileSync(
    'mkfifo',
    stubborn.map(({ go }) => go),
  );
  return stubborn;
}

type Stubborn = ReturnType<typeof stubbornCommands>;

function countAll(stubborn: Stubborn): Record<string, number> {
  return countEach(Object.fromEntries(stubborn.map(({ kind, seconds }) => [kind, `${seconds}`])));
}

function isEach(stubborn: Stubborn, holds: (count: number) => boolean): boolean {
  return Object.values(countAll(stubborn)).every(holds);
}

function noneOf(stubborn: Stubborn): Record<string, number> {
  return Object.fromEntries(stubborn.map(({ kind }) => [kind, 0]));
}

/** Starts all of them; resolves when each is there. */
async function startAll(processes: ProcessSupervisor, stubborn: Stubborn, timeoutMs = 600_000) {
  const controllers = stubborn.map(() => new AbortController());
  const runs = stubborn.map(({ command }, index) =>
    processes.run({
      taskId: `b0000000${index}`,
      command,
      cwd: folder,
      env: process.env,
      timeoutMs,
      signal: controllers[index]!.signal, // one for each
      onOutput: () => {},
      outputFile: join(folder, `output-${index}`),
    }),
  );
  await until('every stubborn process runs', () => isEach(stubborn, (count) => count > 0));
  return { controllers, results: Promise.all(runs) };
}

function report(how: string, containment: string, before: object, left: object): void {
  const sum = (counts: object) => Object.values(counts).reduce((a, b) => a + b, 0);
  console.info(`${containment}, ${how}: ${sum(before)} stubborn processes, ${sum(left)} left`);
}

describe.each(['auto', 'marker'])('no process is left (TROUPE_CONTAINMENT=%s)', (containment) => {
  const endings = {
    'the command ends': (_, controllers) =>
      Promise.all(
        controllers.map((_each, index) => writeFile(join(folder, `go-${index}`), 'go\n')),
      ),
    'it is aborted': (_, controllers) => controllers.forEach((each) => each.abort()),
    'its tasks are swept': async (processes, controllers) => {
      await Promise.all(controllers.map((_each, index) => processes.sweep(`b0000000${index}`)));
    },
    'the supervisor is closed': async (processes) => {
      await processes.close();
    },
  } satisfies Record<
    string,
    (processes: ProcessSupervisor, controllers: readonly AbortController[]) => unknown
  >;

  it.each(Object.entries(endings))('when %s', async (how, end) => {
    const processes = createSupervisor(containment);
    const stubborn = stubbornCommands(containment);
    const { controllers, results } = await startAll(processes, stubborn);
    const before = countAll(stubborn);
    await end(processes, controllers);
    const ended = await results;
    const left = countAll(stubborn);
    report(how, containment, before, left);
    expect(left).toEqual(noneOf(stubborn));
    expect(ended.map((each) => each.isAborted)).toEqual(
      ended.map(() => how !== 'the command ends'),
    );
    await processes.close();
  });

  it('when its time is over', async () => {
    const processes = createSupervisor(containment);
    const stubborn = stubbornCommands(containment);
    const { results } = await startAll(processes, stubborn, 2_000);
    const before = countAll(stubborn);
    const ended = await results;
    const left = countAll(stubborn);
    report('timeout', containment, before, left);
    expect(left).toEqual(noneOf(stubborn));
    expect(ended.map((each) => each.isTimedOut)).toEqual(ended.map(() => true));
    await processes.close();
  });

  const deaths = {
    'SIGKILL of the host': (pid) => process.kill(pid, 'SIGKILL'),
    "SIGKILL of the host's group": (pid) => process.kill(-pid, 'SIGKILL'),
    'SIGTERM of the host': (pid) => process.kill(pid, 'SIGTERM'),
  } satisfies Record<string, (pid: number) => void>;

  it.each(Object.entries(deaths))('a second after %s', async (how, kill) => {
    const stubborn = stubbornCommands(containment);
    const host = startHost({ containment, stubborn, ending: 'exits' });
    await until('every stubborn process runs', () => isEach(stubborn, (count) => count > 0));
    const before = countAll(stubborn);
    kill(host.pid!); // it runs
    const killedAt = Date.now();
    await until('nothing is left', () => isEach(stubborn, (count) => count === 0), 3_000);
    const afterMs = Date.now() - killedAt;
    report(`${how} (gone after ${afterMs} ms)`, containment, before, countAll(stubborn));
    await until('the reaper has left', () => countProcesses(folder) === 0, 3_000);
    expect(readdirSync(folder).filter((name) => name.startsWith('troupe-'))).toEqual([]);
  });

  it.each(['throws', 'exits'])('when the host %s without closing', async (ending) => {
    const stubborn = stubbornCommands(containment);
    const host = startHost({ containment, stubborn, ending });
    await until('every stubborn process runs', () => isEach(stubborn, (count) => count > 0));
    const before = countAll(stubborn);
    host.stdin.write('end\n');
    await once(host, 'exit');
    await until('nothing is left', () => isEach(stubborn, (count) => count === 0), 3_000);
    const left = countAll(stubborn);
    report(`the host ${ending}`, containment, before, left);
    expect(left).toEqual(noneOf(stubborn));
    await until('the reaper has left', () => countProcesses(folder) === 0, 3_000);
  });
});

describe('the reaper', () => {
  it('neither holds the host back nor outlives it', async () => {
    const host = startHost({ containment: 'auto', stubborn: [], ending: 'returns' });
    expect(await once(host, 'exit')).toEqual([0, null]);
    await until('the reaper has left', () => countProcesses(folder) === 0, 3_000);
  });

  it('is gone when the supervisor is closed', async () => {
    const processes = createSupervisor('auto');
    const stubborn = stubbornCommands('auto').slice(0, 1);
    const { results } = await startAll(processes, stubborn);
    expect(countProcesses('troupe-reaper')).toBeGreaterThan(0);
    await processes.close();
    await results;
    expect(countProcesses(`${folder}/troupe-`)).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('troupe-'))).toEqual([]);
  });
});

/** A separate process with a supervisor; its temporary folder is in the command line of its reaper. */
function startHost(options: { containment: string; stubborn: Stubborn; ending: string }) {
  const { containment, ending } = options;
  const commands = ending === 'returns' ? ['true'] : options.stubborn.map((each) => each.command);
  const input = { containment, temporaryFolder: folder, cwd: folder, commands, ending };
  const script = join(import.meta.dirname, 'fixtures', 'host.mjs');
  const host = spawn(process.execPath, [script, JSON.stringify(input)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  hosts.push(host);
  return host;
}
