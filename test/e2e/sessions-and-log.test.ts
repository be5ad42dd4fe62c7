import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { listAgentFiles } from '../../src/journal/storage/agent-files.js';
import { agent, answer, bash } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

const COMMAND = join(import.meta.dirname, '../../dist/cli/main.js');
const ESC = String.fromCharCode(27);

/** A run with a sub-agent and a command that is denied. @returns the session's id */
async function work(place: Place, prompt = 'go'): Promise<string> {
  const api = await place.api({
    handler: answer({
      [prompt]: [
        { text: 'First I look.', tools: [bash('touch made')] },
        { tools: [agent('look around')] },
        { text: `All${ESC}[2J done.` },
      ],
      'look around': [{ text: 'Nothing here.' }],
    }),
  });
  const { code, stdout } = await place.call(['-p', prompt, '--output-format', 'json'], { api });
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { session_id: string }).session_id; // as documented
}

describe.concurrent('troupe sessions', () => {
  it('says so if there is none', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    expect(await place.call(['sessions'])).toMatchObject({
      code: 0,
      stdout: `There is no session of ${place.cwd}. See --all.\n`,
      stderr: '',
    });
    expect(await place.call(['sessions', '--json', '--all'])).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });
  });

  it('lists the sessions of the folder, and with --all of every folder', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const id = await work(place, `Look ${ESC}[31m at this.\nAnd more.`);
    const { code, stdout, stderr } = await place.call(['sessions', '--json']);
    expect({ code, stderr, list: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      stderr: '',
      list: [
        {
          id,
          directory: await place.session(),
          cwd: place.cwd,
          status: 'completed',
          turns: 3,
          agents: 2,
          prompt: `Look ${ESC}[31m at this.\nAnd more.`,
          startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          writtenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      ],
    });
    const text = await place.call(['sessions']);
    expect(text.stdout).toMatch(
      /^id +status +started +last written +turns +agents +title or prompt\n/,
    );
    const [, row = ''] = text.stdout.split('\n');
    expect(row.replaceAll(/\d{4}-\d\d-\d\d [\d:]{8}/g, 'TIME').replaceAll(/ +/g, ' ')).toBe(
      `${id} completed TIME TIME 3 2 Look \\u001b[31m at this.`,
    );

    const directory = await place.session();
    const labels = createJournal({ directory, sessionId: id, now: Date.now });
    labels.append('labels.jsonl', { type: 'session.titled', title: 'Looking' });
    labels.append('labels.jsonl', { type: 'session.tagged', tag: 'todo' });
    await labels.close();
    const labelled = await place.call(['sessions']);
    expect(labelled.stdout).toMatch(/ {2}\[todo\] Looking\n$/);

    const away = { env: { HOME: place.cwd } };
    const other = spawnSync(process.execPath, [COMMAND, 'sessions', '--json'], {
      cwd: place.temporary,
      env: { ...away.env, PATH: process.env['PATH'], TROUPE_HOME: place.troupeHome },
      encoding: 'utf8',
    });
    expect(other.stdout).toBe('[]\n');
    const all = spawnSync(process.execPath, [COMMAND, 'sessions', '--all'], {
      cwd: place.temporary,
      env: { ...away.env, PATH: process.env['PATH'], TROUPE_HOME: place.troupeHome },
      encoding: 'utf8',
    });
    expect(all.stdout).toContain(id);
    expect(all.stdout).toContain(place.cwd);
  });

  it('tells a live session from one whose process was killed', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => new Promise<never>(() => {}) });
    const running = place.start(['-p', 'go'], { api });
    await expect.poll(() => api.requests.length, { timeout: 15_000 }).toBe(1);
    const list = async (): Promise<unknown> =>
      JSON.parse((await place.call(['sessions', '--json'])).stdout) as unknown;
    expect(await list()).toMatchObject([{ status: 'live', pid: running.pid, prompt: 'go' }]);
    running.killGroup('SIGKILL');
    await running.ended;
    expect(await list()).toMatchObject([{ status: 'crashed', prompt: 'go' }]);
    const { code, stdout } = await place.call(['doctor'], { api });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nwarn +locks +The programs of these sessions ended without closing them: [0-9a-f-]{36}\. /,
    );
  });

  it('lists a damaged session with the line that is wrong', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await work(place);
    const file = join(await place.session(), 'tasks.jsonl');
    await appendFile(file, 'garbage\n');
    const { code, stdout } = await place.call(['sessions']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(` damaged .*${file}:\\d+: not a JSON object\\n`));
  });
});

describe.concurrent('troupe log', () => {
  it('tells what happened, with every agent by its name', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const id = await work(place);
    const { code, stdout, stderr } = await place.call(['log']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, ''));
    const found = [
      `session ${id}`,
      'main             > prompt from user: go',
      'main             First I look.',
      'main             Bash: touch made',
      'general-purpose  Nothing here.',
      'general-purpose  ended: completed',
      'main             Agent returned: Nothing here.',
      'main             All\\u001b[2J done.',
    ].map((line) => lines.indexOf(line));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(stdout).toMatch(/main +Bash: denied after \d+ ms: nobody was there to approve it\n/);
    expect(stdout).toMatch(
      /main +Bash failed: Permission to use Bash was denied: nobody is there to approve it/,
    );
    expect(await place.call(['log', id])).toMatchObject({ code: 0, stdout });
  });

  it('prints one JSON object a line, of all agents or of one', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const sessionId = await work(place);
    const { code, lines } = await place.call(['log', '--json']);
    expect(code).toBe(0);
    expect(lines.find(({ type }) => type === 'tool_result')).toMatchObject({
      sessionId,
      at: expect.any(Number),
      agent: 'main',
      agentId: expect.stringMatching(/^amain-/),
      tool: 'Bash',
      toolUseId: expect.any(String),
      isError: true,
    });
    const one = await place.call(['log', sessionId, '--json', '--agent', 'general-purpose']);
    expect(one.lines.map(({ type }) => type)).toEqual(['started', 'mail', 'text', 'ended']);
  });

  it('refuses what is not there, and says what is', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    expect(await place.call(['log'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`There is no session in ${place.cwd}`),
    });
    const id = await work(place);
    expect(await place.call(['log', 'nonsense'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `troupe: There is no session "nonsense". The newest: ${id}. All of them: troupe sessions --all.\n`,
    });
    expect(await place.call(['log', '--agent', 'eve'])).toMatchObject({
      code: 2,
      stderr:
        'troupe: --agent: no agent of this session has the name "eve". It has: main, general-purpose.\n',
    });
  });

  it('names a damaged line and tells the rest', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await work(place);
    const files = listAgentFiles(await place.session());
    const { path = '' } = files.find(({ agentId }) => agentId.startsWith('amain-')) ?? {};
    await appendFile(path, '{}\n');
    const { code, stdout } = await place.call(['log']);
    expect(code).toBe(0);
    expect(stdout).toContain('First I look.');
    expect(stdout).toMatch(new RegExp(`damaged: ${path}:\\d+: `));
  });

  it('does not mind a reader that goes away', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await work(place, `go ${'on and on '.repeat(10_000)}`);
    for (const args of [
      'log',
      'log --json',
      'sessions --json',
      'agents',
      'doctor',
      'completion zsh',
    ]) {
      const script = `"$0" "$1" ${args} | true; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = spawnSync(
        'bash',
        ['--norc', '-c', script, process.execPath, COMMAND],
        {
          cwd: place.cwd,
          env: { PATH: process.env['PATH'], TROUPE_HOME: place.troupeHome, ANTHROPIC_API_KEY: 'k' },
          encoding: 'utf8',
        },
      );
      expect({ args, stdout, stderr }).toEqual({ args, stdout: '0\n', stderr: '' });
    }
  });
});
