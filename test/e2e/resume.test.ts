import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAgentFiles } from '../../src/journal/storage/agent-files.js';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import { createGate } from '../support/gate.js';
import { until } from '../processes/processes.js';
import { answer, bash, newestText, results, textOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

const BYPASS = {
  flags: ['--permission-mode', 'bypassPermissions'],
  env: { IS_SANDBOX: '1' },
};

/** The folders of all sessions, oldest name first. */
async function sessionsOf(place: Place): Promise<readonly string[]> {
  const projects = join(place.troupeHome, 'projects');
  const names = await readdir(projects);
  const found = await Promise.all(
    names.map(async (name) =>
      (await readdir(join(projects, name)))
        .filter((id) => !id.endsWith('.jsonl'))
        .map((id) => join(projects, name, id)),
    ),
  );
  return found.flat();
}

describe.concurrent('a session that is continued', () => {
  it('has the same conversation, by --continue and by --resume', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [bash('echo once >> trace')] }, { text: 'One.' }, { text: 'Two.' }],
      }),
    });
    const { flags, env } = BYPASS;
    expect(await place.run(['-p', 'go', ...flags], { api, env })).toMatchObject({ code: 0 });
    const continued = await place.call(['-p', '-c', 'and?', ...flags], { api, env });
    expect(continued).toMatchObject({ code: 0, stdout: 'Two.\n', stderr: '' });
    const id = basename(await place.session());
    const resumed = await place.call(['-p', '--resume', id, 'more?', '--output-format', 'json'], {
      api,
    });
    expect(resumed).toMatchObject({ code: 0 });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ session_id: id, result: 'Two.' });
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
    expect(newestText(api.requests.at(-1))).toBe('more?');
    expect(await place.text('trace')).toBe('once\n');
  });

  it('goes its own way as a fork', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ go: [{ text: 'One.' }, { text: 'Two.' }] }) });
    await place.call(['-p', 'go'], { api });
    const [original = ''] = await sessionsOf(place);
    const journals = async (): Promise<string> => {
      const files = listAgentFiles(original);
      const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
      return texts.join('');
    };
    const before = await journals();
    const fork = await place.call(['-p', '-c', '--fork-session', 'and?'], { api });
    expect(fork).toMatchObject({ code: 0, stdout: 'Two.\n' });
    expect(await sessionsOf(place)).toHaveLength(2);
    expect(await journals()).toBe(before);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });

  it('after kill -9 in mid-command tells that its outcome is unknown, and does not run it again', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const running = createGate();
    const { flags, env } = BYPASS;
    const api = await place.api({
      handler: answer({
        go: [
          { text: 'Now.', tools: [bash('echo ran >> trace; touch ready; sleep 60')] },
          { text: 'I see.' },
        ],
      }),
    });
    const first = place.start(['-p', 'go', ...flags], { api, env });
    const poll = setInterval(() => {
      if (place.has('ready')) running.open();
    }, 20);
    await running.opened;
    clearInterval(poll);
    first.kill('SIGKILL');
    await first.ended;
    const second = await place.call(['-p', '-c', 'continue', ...flags], { api, env });
    expect(second).toMatchObject({ code: 0, stdout: 'I see.\n' });
    const [result] = results(api.requests.at(-1));
    expect(textOf(result?.content)).toContain('its outcome is unknown');
    expect(newestText(api.requests.at(-1))).toContain('continue');
    expect(await place.text('trace')).toBe('ran\n');
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });

  it('is refused to a second process, which names the first', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const held = createGate();
    const api = await place.api({
      handler() {
        held.open();
        return { connection: 'silent' };
      },
    });
    const first = place.start(['-p', 'go'], { api });
    await held.opened;
    const second = await place.call(['-p', '-c', 'and?'], { api });
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain(`in use by process ${first.pid}`);
  });

  it('is refused if a line is damaged, with its place', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ go: [{ text: 'One.' }, { text: 'Two.' }] }) });
    await place.call(['-p', 'go'], { api });
    const [{ path: file } = { path: '' }] = listAgentFiles(await place.session());
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n');
    await writeFile(file, lines.with(2, (lines[2] ?? '').slice(1)).join('\n'));
    const damaged = await place.call(['-p', '-c', 'and?'], { api });
    expect(damaged).toMatchObject({ code: 2, stdout: '' });
    expect(damaged.stderr).toBe(`troupe: ${file}:3: not a JSON object\n`);
    await writeFile(file, text);
    await appendFile(file, '{"version":1,"uu'); // and the process died
    expect(await place.call(['-p', '-c', 'and?'], { api })).toMatchObject({ stdout: 'Two.\n' });
  });

  it('has its command, a line to paste, in the output of a run that was interrupted', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'slow.yaml':
        'version: 1\nagents: [{ steps: [{ tools: [{ name: Bash, input: { command: touch begun; sleep 60 } }] }] }]\n',
    });
    const flags = ['--allowedTools', 'Bash', '--model', 'scripted:slow.yaml'];
    const run = place.start(['-p', 'go', ...flags]);
    await until('the command runs', () => place.has('begun'));
    run.kill('SIGINT');
    const { stderr } = await run.ended;
    const id = basename(await place.session());
    expect(stderr).toContain(
      `troupe: To resume: troupe -p --resume ${id} --model scripted:slow.yaml "PROMPT"\n`,
    );
  });

  it('needs the script of a scripted model again, and the command says so', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      'hi.yaml': 'version: 1\nagents: [{ steps: [{ text: hi }, { text: ho }] }]\n',
    });
    await place.call(['-p', 'go', '--model', 'scripted:hi.yaml']);
    const id = basename(await place.session());
    for (const flags of [['--continue'], ['--resume', id]])
      expect(await place.call(['-p', 'and?', ...flags])).toMatchObject({
        code: 2,
        stderr: `troupe: This session ran with the script ${place.at('hi.yaml')}. To resume it, name the script: --model scripted:${place.at('hi.yaml')}.\n`,
      });
    const { stdout } = await place.call(['log', id]);
    expect(stdout).toContain(`started as main with scripted:${place.at('hi.yaml')}\n`);
    const again = ['-p', 'and?', '--resume', id.slice(0, 8), '--model', 'scripted:hi.yaml'];
    expect(await place.call(again)).toMatchObject({ code: 0, stdout: 'ho\n' });
  });

  it('is refused if there is none, or the flags contradict', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ go: [{ text: 'One.' }] }) });
    const id = '00000000-0000-4000-8000-000000000000';
    const none = await place.call(['-p', '-c', 'and?'], { api });
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('There is no session in');
    await place.call(['-p', 'go'], { api });
    const known = basename(await place.session());
    for (const [flags, message] of [
      [['--resume', id], `There is no session "${id}". The newest: ${known}.`],
      [['-c', '-r', known], '--continue and --resume name one session each.'],
      [['--fork-session'], '--fork-session needs the session to copy'],
      [['-c', '--session-id', id], 'A resumed session keeps its ID: remove --session-id'],
      [['-c', '--agent', 'explore'], 'keeps it: "explore" cannot replace it'],
    ] as const) {
      const ended = await place.call(['-p', 'x', ...flags], { api });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(message);
    }
  });
});
