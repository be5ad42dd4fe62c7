import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../src/journal/storage/process-owner.js';
import { until } from '../processes/processes.js';
import { createGate } from '../support/gate.js';
import { agent, answer, bash, newestText } from './support/answers.js';
import { findActor, ps, psUntil } from './support/live-tree.js';
import { createPlace } from './support/place.js';
import { COMMAND, PATIENCE_MS } from './support/troupe-process.js';

describe.concurrent('a running troupe', () => {
  it('is seen, read, written to and ended from outside', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const held = createGate();
    const api = await place.api({
      handler: answer({
        go: [
          {
            tools: [
              bash('echo first; read -r line <never', { run_in_background: true }),
              agent('one', { run_in_background: true }),
            ],
          },
          async () => {
            await held.opened;
            return { text: 'Done.' };
          },
          { text: 'Done.' },
        ],
        one: [{ tools: [bash('touch asked')] }, { text: 'One is done.' }],
      }),
    });
    execFileSync('mkfifo', [place.at('never')]);
    const run = place.start(
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'].concat(
        ['--permission-prompt-tool', 'stdio', '--allowedTools', 'Bash(echo *),Bash(read *)'],
      ),
      { api, input: 'open' },
    );
    run.send({ type: 'user', message: { role: 'user', content: 'go' } });

    const ask = await psUntil(place, (seen) =>
      findActor(seen, ({ kind, state }) => kind === 'permissionRequest' && state === 'waiting'),
    );
    expect(ask.waitingFor).toEqual(['a decision by stdio']);
    const seen = await ps(place);
    expect(seen.map(({ pid, cwd }) => ({ pid, cwd }))).toEqual([{ pid: run.pid, cwd: place.cwd }]);
    const asking = findActor(seen, ({ state }) => state === 'deciding.asking');
    expect(asking?.waitingFor).toEqual([`a decision on ${ask.id} by stdio`]);
    const shell = await psUntil(place, (now) =>
      findActor(now, ({ kind, pid }) => kind === 'local_bash' && pid !== undefined),
    );
    expect(shell.waitingFor).toEqual([`the end of process ${String(shell.pid)}`]);
    const one = findActor(seen, ({ kind }) => kind === 'local_agent');
    expect(one?.usage?.calls).toBe(1);

    const table = await place.call(['ps']);
    expect(table.stdout).toMatch(
      /└─ general-purpose +acting +\w+ +Bash\(touch asked\): waits for a decision by stdio/,
    );

    expect((await place.call(['logs', shell.id])).stdout).toBe('first\n');
    const log = await place.call(['logs', one?.id ?? '']);
    expect(log.stdout).toContain('Bash: touch asked');

    const sent = await place.call(['send', 'main', 'Look at the sky.']);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const killed = await place.call(['kill', one?.id ?? '', '--reason', 'enough']);
    expect(killed).toMatchObject({ code: 0, stdout: `${one?.id ?? ''} killed\n`, stderr: '' });
    expect((await place.call(['kill', shell.id])).code).toBe(0);
    held.open();
    const told = await api.request(3);
    expect(newestText(told)).toContain('Look at the sky.');
    expect(newestText(told)).toContain('enough');
    expect(existsSync(place.at('asked'))).toBe(false);
    run.endInput();
    expect((await run.ended).code).toBe(0);
    expect(await ps(place)).toEqual([]);
    expect(await readdir(join(place.troupeHome, 'run'))).toEqual([]);
  });

  it('listens in a place that no other user can read, and is forgotten after a kill', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    execFileSync('mkfifo', [place.at('never')]);
    const said = `echo '{"type":"said"}'; read -r line <never`; // a line that the test can wait for
    const api = await place.api({ handler: () => ({ tools: [bash(said)] }) });
    await mkdir(place.troupeHome);
    const run = place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    const shell = await psUntil(place, (now) =>
      findActor(now, ({ kind, pid }) => kind === 'local_bash' && pid !== undefined),
    );
    const followed = place.start(['logs', '-f', shell.id]);
    await followed.line('what the command says', ({ type }) => type === 'said');
    const folder = join(place.troupeHome, 'run');
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual([
      expect.stringMatching(`^${run.pid}-\\w+\\.json$`),
      expect.stringMatching(`^${run.pid}-\\w+\\.sock$`),
    ]);
    const modes = await Promise.all(
      [folder, ...files.map((name) => join(folder, name))].map((path) => stat(path)),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
    run.kill('SIGKILL');
    await run.ended;
    expect(await followed.ended).toMatchObject({
      code: 0,
      stdout: '{"type":"said"}\n',
      stderr: '',
    });
    expect(await ps(place)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is named by its id, or by a name that only one has', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    execFileSync('mkfifo', [place.at('never')]);
    const api = await place.api({ handler: () => ({ tools: [bash('read -r line <never')] }) });
    place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    await psUntil(place, (seen) => (seen.length === 2 ? seen : undefined));
    const twice = await place.call(['kill', 'main']);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toMatch(
      /^troupe: There are 2 called "main": s\w{8} \(main\), s\w{8} \(main\)\. Give the ID of one\.\n$/,
    );
    const nobody = await place.call(['send', 'no\u001Bbody', 'hello']);
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain('No running task is called "no\\u001bbody". Running: s');
    const usage = await place.call(['send', 'main']);
    expect(usage).toMatchObject({
      code: 2,
      stderr: 'troupe: send needs TEXT. Usage: troupe send ID TEXT\n',
    });
  });

  it('continues when its observer goes away or stops listening', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    execFileSync('mkfifo', [place.at('never')]);
    const api = await place.api({
      handler: answer({ go: [{ tools: [bash('read -r line <never')] }, { text: 'Done.' }] }),
    });
    const run = place.start(['-p', 'go', '--allowedTools', 'Bash'], { api });
    await psUntil(place, ([first]) => first);
    const folder = join(place.troupeHome, 'run');
    const name = (await readdir(folder)).find((one) => one.endsWith('.sock')) ?? '';
    for (const said of [
      '{"id":1,"method":"tree"}\n'.repeat(500),
      'what?\n',
      'x'.repeat(5_000_000),
    ]) {
      const rude = createConnection(join(folder, name));
      rude.on('error', () => {}); // the server closes it
      rude.write(said, () => rude.destroy());
      await new Promise((resolve) => rude.once('close', resolve));
    }
    const head = '"$0" "$1" ps --watch | head -n 1'; // ends when nobody reads any more
    const first = await promisify(execFile)('sh', ['-c', head, process.execPath, COMMAND], {
      env: { PATH: process.env['PATH'], TROUPE_HOME: place.troupeHome },
      timeout: PATIENCE_MS,
    });
    expect(first).toEqual({ stdout: expect.stringMatching(/^who .*\n$/) as string, stderr: '' });
    process.kill(run.pid, 'SIGSTOP');
    const silent = await place.call(['ps']);
    expect(silent).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `troupe: process ${run.pid} does not answer: it sent nothing for 5 s\n`,
    });
    process.kill(run.pid, 'SIGCONT');
    expect(await ps(place)).toHaveLength(1);
    await writeFile(place.at('never'), 'continue\n');
    expect((await run.ended).code).toBe(0);
  });

  it('is waited for with --watch, and the demo is seen too', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = { TROUPE_HOME: '' }; // as for somebody who has not set it
    const early = await place.call(['ps'], { env });
    expect(early).toMatchObject({ code: 0, stdout: 'No troupe of yours is running.\n' });
    const watch = place.start(['ps', '--watch'], { env });
    const demo = place.start(['demo'], { env });
    const run = join(place.home, '.troupe', 'run');
    await expect.poll(() => existsSync(run), { timeout: PATIENCE_MS }).toBe(true);
    const seen = await place.call(['ps', '--json'], { env });
    expect(JSON.parse(seen.stdout)).toEqual([expect.objectContaining({ pid: demo.pid })]);
    const tree = /─ main +idle +\w+ +waits for 3 sub-agents .* s\w{8}/;
    await until('the demo is seen', () => tree.test(watch.printed), PATIENCE_MS);
    expect(watch.printed.split('Waiting for one to start; Ctrl-C ends.\n')).toHaveLength(2);
    demo.kill('SIGINT');
    expect((await demo.ended).code).toBe(130);
    expect(await readdir(run)).toEqual([]);
    watch.kill('SIGINT');
    await watch.ended;
  }, 60_000);

  it('is not believed whatever it says', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const folder = join(place.troupeHome, 'run');
    await mkdir(folder, { recursive: true });
    const owner = { ...thisProcess() };
    const answers = [
      '{"id":1,"result":{}}\n',
      '{"id":1,"result":null}\n',
      'nonsense\n',
      '{"id":7}\n',
    ];
    const servers = answers.map((said, index) => {
      const server = createServer((socket) => {
        socket.on('error', () => {}); // the command hangs up
        socket.on('data', () => socket.write(said));
      }).listen(join(folder, `${process.pid}-${index}.sock`));
      onTestFinished(() => void server.close());
      return server;
    });
    await Promise.all(servers.map((server) => once(server, 'listening')));
    for (const index of answers.keys()) {
      const socket = join(folder, `${process.pid}-${index}.sock`);
      const listener = { version: 1, owner, socket, cwd: '/', startedAt: 0 };
      await writeFile(join(folder, `${process.pid}-${index}.json`), JSON.stringify(listener));
    }
    const { code, stdout, stderr } = await place.call(['ps']);
    const line = `troupe: process ${process.pid} does not answer: its answer is not understood\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: line.repeat(4) });
  });

  it('takes nothing away but sockets, whatever a file names that was left', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const folder = join(place.troupeHome, 'run');
    await mkdir(folder, { recursive: true });
    await place.write({ 'victim/a.txt': 'mine' });
    const owner = { ...thisProcess(), pid: 4_194_305 }; // above every number that there is
    for (const [index, socket] of [place.at('victim'), place.at('victim/a.txt')].entries()) {
      const listener = { version: 1, owner, socket, cwd: '/', startedAt: 0 };
      await writeFile(join(folder, `1-${index}.json`), JSON.stringify(listener));
    }
    expect((await place.call(['ps'])).stdout).toBe('No troupe of yours is running.\n');
    expect(await readdir(folder)).toEqual([]);
    expect(await place.text('victim/a.txt')).toBe('mine');
  });

  it('is not there if none runs, whatever lies in the folder', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const folder = join(place.troupeHome, 'run');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '1-a.json'), '{"version":');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    expect((await place.call(['ps'])).stdout).toBe('No troupe of yours is running.\n');
    expect((await readdir(folder)).toSorted()).toEqual(['1-a.json', 'notes.txt']);
  });
});
