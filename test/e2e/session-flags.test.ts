import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, bash, requestsOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const MANY = ['--output-format', 'stream-json', '--verbose'];

/** The blocks of a request's system prompt. */
function systemOf(request: FakeRequest | undefined): readonly string[] {
  type Body = { system?: readonly { text: string }[] };
  const { system = [] } = (request?.body ?? {}) as Body; // as the strict fake has checked it
  return system.map(({ text }) => text);
}

function toolsOf(request: FakeRequest | undefined): readonly string[] {
  type Body = { tools?: readonly { name: string }[] };
  const { tools = [] } = (request?.body ?? {}) as Body; // as the strict fake has checked it
  return tools.map(({ name }) => name);
}

describe.concurrent('--system-prompt and --append-system-prompt', () => {
  it('replace and extend the prompt of the session only, not of its sub-agents', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('sub')] }, { text: 'done' }],
        sub: [{ text: 'sub done' }],
      }),
    });
    const args = ['--system-prompt', 'You are a poet.', '--append-system-prompt', 'Rhyme.'];
    expect(await place.call(['-p', 'go', ...args], { api })).toMatchObject({ code: 0 });
    expect(systemOf(requestsOf(api, 'go')[0])[0]).toBe('You are a poet.\n\nRhyme.');
    expect(systemOf(requestsOf(api, 'sub')[0])[0]).toMatch(/^You are an agent, and another agent/);
  });

  it('come from files as they are', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }] });
    await place.write({ 'own.md': 'From a file.\n', 'more.md': 'And more.' });
    const args = ['--system-prompt-file', 'own.md', '--append-system-prompt-file', 'more.md'];
    expect(await place.call(['-p', 'go', ...args], { api })).toMatchObject({ code: 0 });
    expect(systemOf(api.requests[0])[0]).toBe('From a file.\n\n\nAnd more.');
  });

  it('stand after the usual prompt if only the second is given', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }] });
    await place.call(['-p', 'go', '--append-system-prompt', 'Be brief.'], { api });
    expect(systemOf(api.requests[0])[0]).toMatch(/^You are Troupe[^]*\n\nBe brief\.$/);
  });

  it('stay byte for byte when the session is continued', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }, { text: 'two' }] });
    await place.call(['-p', 'go', '--system-prompt', 'Poet.'], { api });
    const again = ['--system-prompt', 'Painter.', '--append-system-prompt', 'Be brief.'];
    expect(await place.call(['-p', 'more', '-c', ...again], { api })).toMatchObject({
      stdout: 'two\n',
      stderr:
        'troupe: A resumed session keeps its system prompt, and so does its fork: the one of this command line has no effect.\n',
    });
    expect(systemOf(api.requests[1])).toEqual(systemOf(api.requests[0]));
  });

  it.each([
    [['--system-prompt', 'x', '--system-prompt-file', 'y'], 'say the same. Give one of them'],
    [['--system-prompt', ' '], '--system-prompt is empty.'],
    [
      ['--system-prompt-file', 'nowhere.md'],
      'nowhere.md: --system-prompt-file: there is no such file or folder.',
    ],
    [
      ['--append-system-prompt-file', '.'],
      '--append-system-prompt-file: it is a folder, not a file.',
    ],
    [['--system-prompt-file', 'binary'], 'binary: --system-prompt-file: this is not UTF-8 text.'],
    [['--system-prompt-file', 'empty'], '--system-prompt-file: the file is empty.'],
  ])('say what is wrong with %j', async (args, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    await place.write({ binary: '\u0000\u0001', empty: '\n' });
    const { code, stderr } = await place.call(['-p', 'go', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(place.troupeHome)).toBe(false);
    for (const cleanup of cleanups) await cleanup();
  });
});

describe.concurrent('--effort', () => {
  it('goes to agents whose definition names none, and comes before the setting', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('sub'), agent('own', { subagent_type: 'thinker' })] },
          { text: 'done' },
        ],
        sub: [{ text: 'a' }],
        own: [{ text: 'b' }],
      }),
    });
    const agents = { thinker: { description: 'thinks', prompt: 'Think.', effort: 'max' } };
    const args = ['--effort', 'low', '--settings', '{"effortLevel":"high"}'];
    const run = ['-p', 'go', '--agents', JSON.stringify(agents), ...args];
    expect(await place.call(run, { api })).toMatchObject({ code: 0 });
    const efforts = ['go', 'sub', 'own'].map(
      (prompt) => (requestsOf(api, prompt)[0]?.body ?? { output_config: 'none' })['output_config'],
    );
    expect(efforts).toEqual([{ effort: 'low' }, { effort: 'low' }, { effort: 'max' }]);
  });

  it('comes from the settings, and is kept by a session that is continued', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }, { text: 'two' }] });
    await place.call(['-p', 'go', '--settings', '{"effortLevel":"high"}'], { api });
    await place.call(['-p', 'more', '-c'], { api });
    const efforts = api.requests.map(
      ({ body }) => (body as { output_config?: unknown }).output_config,
    );
    expect(efforts).toEqual([{ effort: 'high' }, { effort: 'high' }]);
  });

  it.each([
    [['--effort', 'huge'], '--effort: there is no "huge". Choose low, medium, high, xhigh, max.'],
    [['--settings', '{"effortLevel":"huge"}'], '--settings:1:16: "effortLevel"'],
  ])('says what is wrong with %j', async (args, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    const { code, stderr } = await place.call(['-p', 'go', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    for (const cleanup of cleanups) await cleanup();
  });
});

describe.concurrent('--tools', () => {
  it.each([
    ['Read,Bash', ['Bash', 'Read']],
    ['', []],
  ])('%j leaves only those', async (value, names) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    const api = await place.api({ replies: [{ text: 'ok' }] });
    expect(await place.call(['-p', 'go', '--tools', value], { api })).toMatchObject({ code: 0 });
    expect(toolsOf(api.requests[0])).toEqual(names);
    for (const cleanup of cleanups) await cleanup();
  });

  it('default leaves all of them', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }] });
    await place.call(['-p', 'go', '--tools', 'default'], { api });
    expect(toolsOf(api.requests[0])).toEqual(expect.arrayContaining(['Agent', 'Bash', 'Read']));
  });

  it('names what was probably meant', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr } = await place.call(['-p', 'go', '--tools', 'Read,Bsh']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        '--tools: There is no built-in tool "Bsh". Did you mean Bash? There are: Agent,',
      ),
    });
  });
});

describe.concurrent('--name', () => {
  it('names a session, and renames it when it is continued', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }, { text: 'two' }] });
    const titles = async (): Promise<unknown> => {
      const { stdout } = await place.call(['sessions', '--json']);
      return JSON.parse(stdout).map(({ title }: { title?: string }) => title);
    };
    await place.call(['-p', 'go', '-n', 'First name'], { api });
    expect(await titles()).toEqual(['First name']);
    await place.call(['-p', 'more', '-c', '--name', 'Second name'], { api });
    expect(await titles()).toEqual(['Second name']);
  });

  it('is one line that is not blank', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    expect(await place.call(['-p', 'go', '-n', ' '])).toMatchObject({
      code: 2,
      stderr: 'troupe: --name is empty.\n',
    });
    expect(await place.call(['-p', 'go', '-n', 'a\nb'])).toMatchObject({
      code: 2,
      stderr: 'troupe: --name has several lines. Give one.\n',
    });
  });
});

describe.concurrent('--no-session-persistence', () => {
  const FLAG = '--no-session-persistence';

  it('leaves nothing behind', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [bash('echo hello')] }, { text: 'ok' }],
    });
    const args = ['-p', 'go', FLAG, '--allowedTools', 'Bash(echo *)'];
    expect(await place.call(args, { api })).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(existsSync(place.troupeHome)).toBe(false);
    expect(
      readdirSync(place.temporary).filter((name) => name.startsWith('troupe-session')),
    ).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('leaves nothing behind after %s', async (signal) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    const api = await place.api({ replies: [{ connection: 'silent' }] });
    const troupe = place.start(['-p', 'go', FLAG, ...MANY], { api });
    await troupe.line('init', ({ subtype }) => subtype === 'init');
    const kept = readdirSync(place.temporary).find((name) => name.startsWith('troupe-session'));
    expect(existsSync(join(place.temporary, kept ?? 'none'))).toBe(true);
    troupe.kill(signal);
    expect(await troupe.ended).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143 });
    expect(existsSync(join(place.temporary, kept ?? 'none'))).toBe(false);
    expect(existsSync(place.troupeHome)).toBe(false);
    for (const cleanup of cleanups) await cleanup();
  });

  it('does not go with a session that is continued', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr } = await place.call(['-p', 'go', FLAG, '-c']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'so it cannot resume one: remove it, or remove --continue and --resume.',
      ),
    });
  });
});

describe.concurrent('flags of the published SDKs', () => {
  it('change what is sent: no prompt, thinking, beta features and headers', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'ok' }] });
    const args = ['--system-prompt', '', '--max-thinking-tokens', '2000', '--betas', 'a-1', 'b-2'];
    const env = { ANTHROPIC_CUSTOM_HEADERS: 'X-Team: docs\nX-Two: 2' };
    expect(await place.call(['-p', 'go', ...args, '--debug'], { api, env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const [request] = api.requests;
    expect(systemOf(request)[0]).toMatch(/^You are Troupe/);
    expect(request?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 } });
    expect(request?.headers).toMatchObject({
      'anthropic-beta': 'a-1,b-2',
      'x-team': 'docs',
      'x-two': '2',
    });
  });

  it('load nothing of user and project with --bare', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('echo hi')] }, { text: 'ok' }] });
    const hook = { hooks: [{ type: 'command', command: 'exit 2' }] };
    await place.write({
      'CLAUDE.md': 'Say please.',
      '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [hook] } }),
      '.claude/agents/helper.md': '---\nname: helper\ndescription: Helps.\n---\nHelp.',
      '.mcp.json': JSON.stringify({ mcpServers: { x: { command: 'false' } } }),
    });
    const args = ['--bare', '--trust', '--allowedTools', 'Bash(echo *)', ...MANY];
    const { code, lines } = await place.call(['-p', 'go', ...args], { api });
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ tools: ['Bash', 'Edit', 'Read', 'Write'], mcp_servers: [] });
    expect(lines[0]?.['agents']).not.toContain('helper');
    expect(JSON.stringify(systemOf(api.requests[0]))).not.toContain('Say please.');
    expect(JSON.stringify(api.requests[1]?.body)).toContain('hi');
  });
});
