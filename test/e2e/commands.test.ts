import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/cli/command-table/commands.js';
import { newestText } from './support/answers.js';
import { createPlace } from './support/place.js';
import { CLIENT, isResult, say } from './support/stream-client.js';

const COMMAND = join(import.meta.dirname, '../../dist/cli/main.js');

describe('troupe -p with a command', () => {
  it('describes the session without a model request', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [] });
    await place.write({ '.claude/settings.json': '{"permissions": {"deny": ["Read(.env)"]}}' });
    const permissions = await place.call(['-p', '/permissions'], { api });
    const context = await place.call(['-p', '/context', '--output-format', 'json'], { api });
    const unknown = await place.call(['-p', '/contxt'], { api });
    expect(permissions).toMatchObject({
      code: 0,
      stdout: 'mode · default\ndeny · Read(.env) · project settings\n',
      stderr: '',
    });
    expect(JSON.parse(context.stdout)).toMatchObject({
      type: 'result',
      subtype: 'success',
      result: expect.stringMatching(/^0 of 1000000 tokens \(0 %\) of claude-sonnet/),
      num_turns: 0,
    });
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no command /contxt. Did you mean /context?'),
    });
    expect(api.requests).toEqual([]);
  });

  it('says what to do in place of a command that only a terminal has', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [] });
    const text =
      '/clear needs a terminal: each run without --continue or --resume begins a new session.';
    const alone = await place.call(['-p', '/clear'], { api });
    expect([alone.code, alone.stderr]).toEqual([2, `troupe: ${text}\n`]);
    const input = `${JSON.stringify(say('/new'))}\n`;
    const client = await place.call([...CLIENT], { api, input });
    expect(client.lines.find(isResult)).toMatchObject({ is_error: true, errors: [text] });
    await place.write({ '.claude/commands/new.md': 'Make a new one.\n' });
    const made = await place.api({ handler: () => ({ text: 'Made.' }) });
    expect((await place.call(['-p', '/new'], { api: made })).stdout).toBe('Made.\n');
    const { lines } = await place.call([...CLIENT], { api: made, input });
    expect(lines.find(isResult)).toMatchObject({ result: 'Made.' });
  });

  it('has the commands of a module, and refuses those that need a person', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'Shipped.' }] });
    await place.write({
      'commands.mjs': `const text = (value) => async () => ({ call: async (args) => ({ type: 'text', value: value + args }) });
const base = { type: 'local', description: 'Does it.' };
export default [
  { ...base, name: 'greet', load: text('Hello ') },
  { ...base, name: 'pick', supportsNonInteractive: false, load: text('') },
  { ...base, name: 'draw', type: 'local-jsx', load: async () => ({}) },
  { type: 'prompt', name: 'ship', description: 'Ships.', getPromptForCommand: async (to) => [{ type: 'text', text: 'Ship to ' + to }] },
];`,
      'wrong.mjs': 'export default [{ type: "local", name: "no" }];',
      'none.mjs': 'export const commands = [];',
    });
    const run = async (line: string, file = 'commands.mjs') => {
      const { code, stdout, stderr } = await place.call(['-p', line, '--commands', file], { api });
      return { code, stdout, stderr };
    };
    expect(await run('/greet Ada')).toEqual({ code: 0, stdout: 'Hello Ada\n', stderr: '' });
    expect(await run('/ship it')).toEqual({ code: 0, stdout: 'Shipped.\n', stderr: '' });
    expect(newestText(api.requests[0])).toContain('Ship to it');
    expect(await run('/pick')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The command /pick needs a person, and here nobody can answer.',
      ) as unknown,
    });
    expect(await run('/draw')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The command /draw needs a terminal: start troupe without -p, and type it there.',
      ) as unknown,
    });
    const { stdout: help } = await run('/help');
    expect(help.match(/^\/(?:greet|pick|draw|ship) .*$/gm)).toEqual([
      '/ship · Ships.',
      '/greet · Does it.',
    ]);
    expect(await run('/greet', 'wrong.mjs')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^troupe: --commands wrong\.mjs: /) as unknown,
    });
    expect(await run('/greet', 'none.mjs')).toMatchObject({
      code: 2,
      stderr: 'troupe: --commands none.mjs: its default export must be a list of commands.\n',
    });
    expect(await run('/greet', 'gone.mjs')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^troupe: --commands gone\.mjs: Cannot find module/) as unknown,
    });
  });

  it.for([
    [
      '/help',
      /^\/compact \[INSTRUCTIONS\] · [^]*\n\/help · [^]*\n\/init · [^]*\n\/export \[FILE\] · /,
    ],
    ['/compact', /^$/, 1, 'The conversation was not compacted: there is nothing to summarise yet.'],
    ['/cost', /^There was no request yet\.$/],
    ['/context', /^0 of 1000000 tokens/],
    ['/config', /^No settings: everything is at its default\.$/],
    ['/model', /^claude-sonnet-5-5$/],
    ['/model haiku', /^claude-haiku-5-5$/],
    ['/permissions', /^mode · default$/],
    ['/agents', /^general-purpose · inherit · /],
    ['/tasks', /^There are no tasks\.$/],
    ['/mcp', /^There are no MCP servers\.$/],
    ['/skills', /^\/init · built in, only people · /],
    ['/hooks', /^There are no hooks\.$/],
    ['/memory', /^There are no instructions\./],
    [
      '/status',
      /^Session [-\w]{36}\nIts folder: \/.*\nIts model: claude-sonnet-5-5, in the mode default\n/,
    ],
    ['/doctor', /^ok +node +Node\.js /],
    [
      '/clear',
      /^$/,
      2,
      '/clear needs a terminal: each run without --continue or --resume begins a new session.',
    ],
    ['/resume', /^$/, 2, '/resume needs a terminal: give --resume ID, or --continue.'],
    ['/exit', /^$/, 2, '/exit needs a terminal: the run ends with its last prompt.'],
  ] as const)(
    'answers %s, or says what to do instead',
    async ([line, out, code = 0, why = ''], { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({ replies: [] });
      const ended = await place.call(['-p', line], { api });
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({
        code,
        stderr: why === '' ? '' : `troupe: ${why}\n`,
      });
      expect(ended.stdout.trimEnd()).toMatch(out);
      expect(api.requests).toEqual([]);
    },
  );

  it('writes a CLAUDE.md at /init, and reviews at /review, by the model', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    for (const line of ['/init', '/review main', '/security-review'])
      expect(await place.call(['-p', line], { api })).toMatchObject({ code: 0, stderr: '' });
    expect(api.requests.map(newestText)).toEqual([
      expect.stringMatching(/^\/init\nRead this repository and write a file CLAUDE\.md/),
      expect.stringMatching(/^\/review main\nReview changes [^]*\n\nARGUMENTS: main$/),
      expect.stringMatching(/^\/security-review\nLook for weaknesses/),
    ]);
    // nobody pays for them in other requests
    await place.call(['-p', 'Hi'], { api });
    const tools = api.requests[3]?.body['tools'] as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).not.toContain('Skill');
  });

  it('writes the log of a session at /export, and refuses to replace a file', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Done.' }) });
    await place.call(['-p', 'Hi'], { api });
    const { stdout } = await place.call(['-p', '/export log.txt', '--continue'], { api });
    expect(stdout).toBe(`The log of the session is in ${place.at('log.txt')}\n`);
    expect(await place.text('log.txt')).toMatch(/Hi\n[^]*Done\./);
    expect(await place.call(['-p', '/export log.txt', '--continue'], { api })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('log.txt exists already. Name another file: /export FILE.'),
    });
    expect(await place.call(['-p', '/export new.txt'], { api })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no log to export: the session is not on disk.'),
    });
    expect(place.has('new.txt')).toBe(false);
  });

  it('lets a skill replace one, but in a folder that is not trusted', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/commands/status.md': 'Say how it goes.\n',
      '.claude/commands/config.md': 'Configure it.\n',
    });
    const api = await place.api({ handler: () => ({ text: 'Well.' }) });
    const call = (...args: readonly string[]) => place.call(['-p', ...args], { api });
    expect((await call('/status', '--trust')).stdout).toBe('Well.\n');
    expect((await call('/config', '--trust')).stdout).toBe('Well.\n');
    expect((await call('/status')).stdout).toMatch(/^Session /);
    expect((await call('/config')).stdout).toMatch(/^No settings/);
    expect(api.requests.map(newestText)).toEqual([
      '/status\nSay how it goes.',
      '/config\nConfigure it.',
    ]);
  });
});

describe.concurrent('troupe agents', () => {
  it('lists agents with their files, and what is wrong on stderr', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/agents/reviewer.md':
        '---\nname: reviewer\ndescription: Reads changes.\ntools: Read, Grep\nmodel: opus\n---\nReview.\n',
      '.troupe/agents/broken.md': '---\nname: broken\ntools: 7\n---\n',
    });
    const given = JSON.stringify({ worker: { description: 'Mine.', prompt: 'Work.' } });
    const broken = `${place.at('.troupe/agents/broken.md')}:1: the agent is left out: "description" is required (a string).`;
    const { code, stdout, stderr } = await place.call(['agents', '--agents', given]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `troupe: ${broken}\n` });
    expect(stdout).toMatch(
      /\nworker +built-in, shadowed by flag +inherit +bubble +all +Does one part/,
    );
    const file = place.at('.claude/agents/reviewer.md');
    expect(stdout).toMatch(
      new RegExp(`\\nreviewer +project, ${file} +opus +- +Read,Grep +Reads changes\\.\\n`),
    );

    const json = await place.call(['agents', '--agents', given, '--json']);
    expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 0, stderr: '' });
    const listing = JSON.parse(json.stdout) as { agents: readonly unknown[]; problems: unknown };
    expect(listing.problems).toEqual([broken]);
    expect(listing.agents).toContainEqual({
      name: 'reviewer',
      description: 'Reads changes.',
      tools: ['Read', 'Grep'],
      model: 'opus',
      source: 'project',
      file,
    });
    expect(listing.agents.at(-1)).toEqual({ name: 'worker', description: 'Mine.', source: 'flag' });
  });

  it('exits with 2 if --agents cannot be used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    expect(await place.call(['agents', '--agents', '{'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--agents:1:2: This is not JSON'),
    });
  });
});

describe.concurrent('troupe completion', () => {
  it('prints a script that bash takes', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const script = `source <("$0" "$1" completion bash)
COMP_WORDS=(troupe sess) COMP_CWORD=1; _troupe; complete -p troupe; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['--norc', '-c', script, process.execPath, COMMAND],
      {
        cwd: place.cwd,
        encoding: 'utf8',
      },
    );
    expect({ stdout, stderr }).toEqual({
      stdout: 'complete -F _troupe troupe\nsessions\n',
      stderr: '',
    });
  });

  it.each(['zsh', 'fish'])('prints one for %s', async (shell) => {
    const { stdout, status } = spawnSync(process.execPath, [COMMAND, 'completion', shell], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('permission-mode');
  });
});

describe.concurrent('wrong uses of the commands', () => {
  it.for([
    [
      ['sessions', 'x'],
      'sessions takes no "x". Usage: troupe sessions [--all] [--limit N] [--json]',
    ],
    [['sessions', '--model', 'm'], 'sessions takes no --model, only --all, --limit and --json.'],
    [['log', 'a', 'b'], 'log takes no "b". Usage: troupe log [ID] [--agent NAME] [--json]'],
    [['log', '--all'], 'log takes no --all, only --agent, --json and --follow.'],
    [
      ['log', ''],
      'log got nothing for ID. Usage: troupe log [ID] [--agent NAME] [--json] [--follow]',
    ],
    [['agents', 'x'], 'agents takes no "x". Usage: troupe agents [--json]'],
    [['doctor', 'x'], 'doctor takes no "x". Usage: troupe doctor [--mcp] [--json]'],
    [['doctor', '--all'], 'doctor takes no --all, only '],
    [['completion'], 'completion needs bash|zsh|fish. Usage: troupe completion bash|zsh|fish'],
    [['completion', 'tcsh'], 'completion takes no "tcsh". Usage: troupe completion bash|zsh|fish'],
    [['completion', 'bash', '--json'], 'completion takes no --json, and no other flag.'],
    [['-p', 'x', '--all'], 'A run takes no --all. See troupe --help.'],
    [['-p', 'x', '--mcp'], 'A run takes no --mcp. See troupe --help.'],
  ] as const)('%j is refused', async ([args, message], { onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, stdout, stderr } = await place.call(args);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`troupe: ${message}`),
    });
  });

  it('are explained: all of them by --help, each by its own help', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { stdout } = await place.call(['--help']);
    for (const name of COMMAND_NAMES) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);

    const own = await place.call(['help', 'sessions']);
    expect(own).toMatchObject({ code: 0, stderr: '' });
    expect(own.stdout).toBe(`Usage:
  troupe sessions [--all] [--limit N] [--json]

List the sessions of this folder, newest first.

Flags:
  --all                              the sessions of every folder
  --limit N                          at most N sessions; 0: all (default: 20 at a terminal,
                                     otherwise all)
  --json                             print JSON
`);
    expect((await place.call(['sessions', '--help'])).stdout).toBe(own.stdout);
  });
});
