import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessSupervisor } from '../../src/processes/process-supervisor.js';
import { whyNoBwrap } from './sandbox/sandboxed-supervisor.js';

const execute = promisify(execFile);
const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);
/** Closes the descriptors that the program that runs the tests may have left open. */
const CLOSE_OTHERS = 'for fd in $(ls /proc/$$/fd); do [ $fd -lt 3 ] || eval "exec $fd>&-"; done';

describe('a descriptor that Troupe has inherited', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'inherited-')));
    writeFileSync(join(folder, 'secret'), 'secret');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is open in nothing that Troupe starts', async () => {
    const ways = ['namespace', 'marker', ...(whyNoBwrap() === undefined ? ['bwrap'] : [])];
    const start = `exec "$0" "$1" "$2" 77<secret 78>>log 5<secret 201<>log`;
    const words = [process.execPath, fixture('start-each.mjs'), ways.at(-1)!]; // there are some
    const { stdout } = await execute('/bin/bash', ['-c', start, ...words], { cwd: folder });
    const expected = ways.flatMap((way) => [way, `service, ${way}`]);
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries([...expected, 'git'].map((name) => [name, ''])),
    );
  });
});

describe.each(['auto', 'marker'])('without descriptors (TROUPE_CONTAINMENT=%s)', (containment) => {
  it.each(['cold', 'warm'])(
    'commands and services fail by themselves and work again later, %s',
    async (temperature) => {
      const start = `${CLOSE_OTHERS}; ulimit -n 160; exec "$0" "$@"`;
      const words = [process.execPath, fixture('few-descriptors.mjs'), containment, temperature];
      const { stdout, stderr } = await execute('/bin/bash', ['-c', start, ...words]);
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      const end = lines.pop();
      const own = createProcessSupervisor({
        env: { ...process.env, TROUPE_CONTAINMENT: containment },
      });
      expect(end).toEqual({ after: 'ran', containment: await own.containment() });
      expect(lines[0]).toEqual({
        left: 0,
        command: 'SHELL_NOT_STARTED',
        service: 'SERVICE_NOT_STARTED',
      });
      expect(lines.at(-1)).toEqual({ left: 19, command: 'ran', service: 'ran' });
      expect(new Set(lines.map(({ command }) => command))).toEqual(
        new Set(['SHELL_NOT_STARTED', 'ran']),
      );
      expect(stderr).toBe('');
    },
  );
});

type Line = { readonly left: number; readonly command: string; readonly service: string };
