import { getSessionMessages } from '../../../src/api/query/past-sessions.js';
import { given } from '../../../src/core/json/given.js';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AbortError } from '../../../src/api/query/abort-error.js';
import type { HookCallback } from '../../../src/extensions/hooks/hook-types.js';
import type { QueryOptions } from '../../../src/api/query/query-options.js';
import type { SDKUserMessage } from '../../../src/api/query/query-types.js';
import { UNSUPPORTED_METHODS } from '../../../src/api/query/unsupported.js';
import { UsageError } from '../../../src/core/errors.js';
import { createGate } from '../../support/gate.js';
import { bashCall } from '../../support/scripts.js';
import { countProcesses, uniqueSeconds, until } from '../../processes/processes.js';
import { collect, createQueries, resultOf, user } from './support.js';

const BYPASS = { permissionMode: 'bypassPermissions' } as const;

describe('query', () => {
  it('tells init first and the result last', async () => {
    const { ask, cwd, told } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const messages = await collect(ask('Hi.'));
    expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
    expect(messages[0]).toMatchObject({ subtype: 'init', cwd, permissionMode: 'default' });
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: 'Hello.',
    });
    const ids = new Set(messages.map((message) => message.session_id));
    expect(ids.size).toBe(1);
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(messages.length);
    expect(told).toEqual([]);
  });

  it('has the commands of the plugins that it names', async () => {
    const { ask, at, told } = await createQueries({ replies: [{ text: 'Gone.' }] });
    await mkdir(at('kit/commands'), { recursive: true });
    await writeFile(at('kit/commands/go.md'), 'Go.');
    const plugins = [
      { type: 'local', path: './kit' },
      { type: 'local', path: './gone' },
    ] as const;
    const messages = await collect(ask('/kit:go', { plugins }));
    expect(messages[0]).toMatchObject({
      slash_commands: expect.arrayContaining(['compact', 'kit:go']) as unknown,
      plugins: [{ name: 'kit', path: at('kit'), source: 'kit@inline' }],
      plugin_errors: [{ plugin: at('gone'), type: 'not-found' }],
    });
    expect(messages.at(-1)).toMatchObject({ result: 'Gone.' });
    expect(told).toEqual([
      `troupe: The plugin ${at('gone')} is left out: There is no folder ${at('gone')}.\n`,
    ]);
  });

  it('ends with a call that a hook defers, also before further prompts, and continues with it', async () => {
    let permissionDecision: 'defer' | 'allow' = 'defer';
    const seen: unknown[] = [];
    const hook: HookCallback = (input) => {
      seen.push('tool_use_id' in input ? input.tool_use_id : undefined);
      return Promise.resolve({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision },
      });
    };
    const { ask, api } = await createQueries({
      replies: [{ tools: [bashCall('echo ran')] }, { text: 'Done.' }],
    });
    const options = { hooks: { PreToolUse: [{ hooks: [hook] }] } };
    const open = createGate();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield user('Go.');
      await open.opened;
    }
    const first = await resultOf(ask(prompts(), options));
    open.open();
    const { subtype, stop_reason, deferred_tool_use, session_id: resume } = first;
    expect({ subtype, stop_reason, deferred_tool_use }).toEqual({
      subtype: 'success',
      stop_reason: 'tool_deferred',
      deferred_tool_use: { id: 'toolu_fake_0_0', ...bashCall('echo ran') },
    });
    permissionDecision = 'allow';
    async function* nothing(): AsyncGenerator<SDKUserMessage> {}
    const second = await resultOf(ask(nothing(), { ...options, resume }));
    expect(second).toMatchObject({ result: 'Done.', stop_reason: 'end_turn', session_id: resume });
    expect(seen).toEqual(['toolu_fake_0_0', 'toolu_fake_0_0']);
    expect(api.requests).toHaveLength(2);
  });

  it('begins nothing before the first message is asked for', async () => {
    const { ask, api, home } = await createQueries({ replies: [] });
    const idle = ask('Hi.');
    await idle.return();
    expect(await idle.next()).toEqual({ done: true, value: undefined });
    await expect(idle.interrupt()).rejects.toThrow('The query has ended.');
    expect([api.requests.length, existsSync(home)]).toEqual([0, false]);
  });

  it('ends with a result that says what went wrong', async () => {
    const error = { type: 'invalid_request_error', message: 'no such thing' };
    const { ask } = await createQueries({ replies: [{ status: 400, error }] });
    expect(await resultOf(ask('Hi.'))).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringContaining('no such thing')],
    });
  });

  it('ends a session of too many turns with the result of that name', async () => {
    const { ask } = await createQueries({ handler: () => ({ tools: [bashCall('ls')] }) });
    const result = await resultOf(ask('Continue without end.', { maxTurns: 2 }));
    expect(result).toMatchObject({ subtype: 'error_max_turns', is_error: true, num_turns: 2 });
  });

  it('rejects with the first message if its session cannot begin', async () => {
    const { ask } = await createQueries({ replies: [] });
    await expect(ask('Hi.', { resume: 'nobody' }).next()).rejects.toThrow(UsageError);
    await expect(ask('').next()).rejects.toThrow('"prompt" is empty');
    await expect(ask(5 as unknown as string).next()).rejects.toThrow('"prompt" must be a text');
  });

  it('leaves no process when its reader breaks off', async () => {
    const seconds = uniqueSeconds();
    const { ask } = await createQueries({
      handler: () => ({ tools: [bashCall(`sleep ${seconds}`)] }),
    });
    const query = ask('Wait.', { allowedTools: ['Bash'] });
    for await (const message of query)
      if (message.type === 'assistant') {
        await until('it runs', () => countProcesses(String(seconds)) > 0);
        break;
      }
    expect(countProcesses(String(seconds))).toBe(0);
    expect(await query.next()).toEqual({ done: true, value: undefined });
  });

  it('ends while somebody waits for its next message', async () => {
    const { ask, api } = await createQueries({ replies: [{ connection: 'silent' }] });
    const query = ask('Wait.');
    await query.next(); // init
    await api.request(0);
    const waiting = collect(query);
    await query.return();
    expect((await waiting).at(-1)).toMatchObject({ type: 'result', is_error: true });
  });
});

describe('abortController', () => {
  it('ends everything, tells the result, and then rejects', async () => {
    const seconds = uniqueSeconds();
    const { ask } = await createQueries({
      handler: () => ({ tools: [bashCall(`sleep ${seconds}`)] }),
    });
    const abortController = new AbortController();
    const types: string[] = [];
    const run = (async () => {
      for await (const message of ask('Wait.', { abortController, allowedTools: ['Bash'] })) {
        types.push(message.type);
        if (message.type === 'assistant') {
          await until('it runs', () => countProcesses(String(seconds)) > 0);
          abortController.abort();
        }
      }
    })();
    await expect(run).rejects.toThrow(AbortError);
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(countProcesses(String(seconds))).toBe(0);
    expect(types.at(-1)).toBe('result');
  });

  it('keeps a query from beginning that was aborted before', async () => {
    const { ask, api } = await createQueries({ replies: [] });
    const abortController = new AbortController();
    abortController.abort();
    await expect(ask('Hi.', { abortController }).next()).rejects.toThrow(AbortError);
    expect(api.requests).toEqual([]);
  });
});

describe('prompts as they come', () => {
  it('are answered one by one, and the last answer ends the session', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
    const answered = createGate();
    async function* prompts() {
      yield user('First.');
      await answered.opened;
      yield user([{ type: 'text', text: 'Second.' }]);
    }
    const results: unknown[] = [];
    for await (const message of ask(prompts()))
      if (message.type === 'result') {
        results.push(message.subtype === 'success' ? message.result : message.errors);
        answered.open();
      }
    expect(results).toEqual(['One.', 'Two.']);
    expect(api.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('can be interrupted, and continue in another mode, with another model and effort', async () => {
    const { ask, api, at } = await createQueries({
      handler({ index }) {
        if (index === 0) return { connection: 'silent' };
        if (index > 1) return { text: 'Done.' };
        return { tools: [{ name: 'Write', input: { file_path: at('x'), content: '' } }] };
      },
    });
    const interrupted = createGate();
    async function* prompts() {
      yield user('Wait.');
      await interrupted.opened;
      yield user('Write.');
    }
    const query = ask(prompts(), { model: 'claude-one' });
    const results: unknown[] = [];
    void api.request(0).then(() => query.interrupt());
    for await (const message of query) {
      if (message.type !== 'result') continue;
      results.push(message.subtype);
      if (results.length > 1) continue;
      await query.setPermissionMode('plan');
      await query.setModel('haiku');
      await query.applyFlagSettings({ effortLevel: 'low' });
      interrupted.open();
    }
    expect(results).toEqual(['error_during_execution', 'success']);
    expect(existsSync(at('x'))).toBe(false);
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      'claude-one',
      'claude-haiku-5-5',
      'claude-haiku-5-5',
    ]);
    expect(api.requests.map(({ body }) => body['output_config'])).toEqual([
      undefined,
      { effort: 'low' },
      { effort: 'low' },
    ]);
  });

  it('end the query with what they throw', async () => {
    const { ask } = await createQueries({ replies: [{ text: 'One.' }] });
    async function* prompts() {
      yield user('First.');
      throw new Error('no more');
    }
    await expect(collect(ask(prompts()))).rejects.toThrow('no more');
  });

  it('are checked, and the error names the one that is invalid', async () => {
    const { ask } = await createQueries({ handler: () => ({ text: 'One.' }) });
    async function* prompts() {
      yield user('First.');
      yield { type: 'user', message: { role: 'user', content: '' } } as SDKUserMessage;
    }
    await expect(collect(ask(prompts()))).rejects.toThrow(
      'message 2 of the prompts is invalid: "message.content"',
    );
  });

  it('are not waited for once the session has ended', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'One.' }] });
    let isReturned = false;
    const prompts: AsyncIterable<SDKUserMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => {
          isReturned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const query = ask(prompts);
    await query.next(); // init
    await query.return();
    await Promise.resolve();
    expect([isReturned, api.requests.length]).toEqual([true, 0]);
  });

  it('can be joined by others', async () => {
    const { ask } = await createQueries({ handler: ({ index }) => ({ text: `Answer ${index}.` }) });
    const joined = createGate();
    async function* first() {
      yield user('First.');
      await joined.opened;
    }
    async function* second() {
      yield user('Second.');
    }
    const query = ask(first());
    const results: unknown[] = [];
    for await (const message of query) {
      if (message.type !== 'result') continue;
      results.push(message.subtype === 'success' ? message.result : message.errors);
      if (results.length === 1) void query.streamInput(second());
      else joined.open();
    }
    expect(results).toEqual(['Answer 0.', 'Answer 1.']);
  });
});

describe('a session that is continued', () => {
  it('has the conversation, in its own folder and under its id', async () => {
    const { ask, api } = await createQueries({
      handler: ({ index }) => ({ text: `Answer ${index}.` }),
    });
    const base = { systemPrompt: 'You are terse.' };
    const { session_id } = await resultOf(ask('First.', base));
    const resumed = await resultOf(ask('Second.', { ...base, resume: session_id }));
    expect(resumed).toMatchObject({ session_id, result: 'Answer 1.' });
    const continued = await resultOf(ask('Third.', { continue: true }));
    expect(continued).toMatchObject({ session_id, result: 'Answer 2.' });
    const [, second, third] = api.requests.map(({ body }) => body);
    expect(second?.messages).toHaveLength(3);
    expect(third?.messages).toHaveLength(5);
    expect(third?.['system']).toEqual(second?.['system']);
  });

  it('stays as it was if a copy of it continues', async () => {
    const { ask, api } = await createQueries({
      handler: ({ index }) => ({ text: `Answer ${index}.` }),
    });
    const { session_id } = await resultOf(ask('First.'));
    const forked = await resultOf(ask('Second.', { resume: session_id, forkSession: true }));
    expect(forked.session_id).not.toBe(session_id);
    await resultOf(ask('Third.', { resume: session_id }));
    expect(api.requests.map(({ body }) => body.messages.length)).toEqual([1, 3, 3]);
  });

  it('continues from an earlier message in a copy', async () => {
    const { ask, api, home } = await createQueries({
      handler: ({ index }) => ({ text: `Answer ${index}.` }),
    });
    vi.stubEnv('TROUPE_HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { session_id } = await resultOf(ask('First.'));
    await resultOf(ask('Second.', { resume: session_id }));
    const [, answer] = await getSessionMessages(session_id);
    const from = {
      resume: session_id,
      forkSession: true,
      ...given({ resumeSessionAt: answer?.uuid }),
    };
    const sessionId = '11111111-2222-4333-8444-555555555555';
    const copy = await resultOf(ask('Instead.', { ...from, sessionId }));
    expect(copy.session_id).toBe(sessionId);
    expect(api.requests.at(-1)?.body.messages.map(({ content }) => content)).toMatchObject([
      [{ text: 'First.' }],
      [{ text: 'Answer 0.' }],
      [{ text: 'Instead.' }],
    ]);
    await expect(ask('Instead.', { ...from, resumeSessionAt: 'elsewhere' }).next()).rejects.toThrow(
      `The session ${session_id} has no message "elsewhere".`,
    );
  });

  it('is not there if it was not kept', async () => {
    const { ask, home } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    const { session_id } = await resultOf(ask('First.', { persistSession: false }));
    expect(existsSync(home)).toBe(false);
    await expect(ask('Second.', { resume: session_id }).next()).rejects.toThrow(
      `There is no session "${session_id}".`,
    );
    await expect(ask('Second.', { continue: true, persistSession: false }).next()).rejects.toThrow(
      UsageError,
    );
  });
});

describe('commands of a query', () => {
  const files = async ({ at }: { at(name: string): string }): Promise<void> => {
    await mkdir(at('.claude/commands'), { recursive: true });
    await writeFile(at('.claude/commands/notes.md'), 'Notes for $0.\n');
  };

  it('use skills of its setting sources, and the result comes as for a prompt', async () => {
    const queries = await createQueries({ replies: [{ text: 'Written.' }] });
    await files(queries);
    const query = queries.ask('/notes 1.2', { settingSources: ['project'] });
    expect(await query.supportedCommands()).toContainEqual({
      name: 'notes',
      description: 'Notes for $0.',
      argumentHint: '',
    });
    expect(await resultOf(query)).toMatchObject({ subtype: 'success', result: 'Written.' });
    expect(queries.api.requests[0]?.body.messages).toMatchObject([
      { content: [{ text: '/notes 1.2' }, { text: 'Notes for 1.2.' }] },
    ]);
  });

  it('are new ones after a reload, in its answer, in a message and in the list', async () => {
    const queries = await createQueries({ replies: [{ text: 'Hello.' }] });
    await files(queries);
    const reloaded = createGate();
    async function* prompts() {
      await reloaded.opened;
      yield user('Hi.');
    }
    const query = queries.ask(prompts(), { settingSources: ['project'] });
    await query.supportedCommands();
    await writeFile(queries.at('.claude/commands/more.md'), 'More.');
    await mkdir(queries.at('.claude/output-styles'));
    await writeFile(queries.at('.claude/output-styles/poet.md'), 'Answer in verse.');
    expect((await query.reloadOutputStyles()).available_output_styles).toContain('poet');
    const more = { name: 'more', description: 'More.', argumentHint: '' };
    expect((await query.reloadSkills()).skills).toContainEqual(more);
    expect(await query.reloadPlugins()).toEqual({
      commands: await query.supportedCommands(),
      agents: await query.supportedAgents(),
      plugins: [],
      mcpServers: [],
      error_count: 0,
    });
    reloaded.open();
    expect(await collect(query)).toContainEqual(
      expect.objectContaining({
        subtype: 'commands_changed',
        commands: expect.arrayContaining([more]) as unknown,
      }),
    );
  });

  it('of Troupe itself answer without a request', async () => {
    const queries = await createQueries({ replies: [] });
    const query = queries.ask('/cost', { settingSources: [] });
    expect(await resultOf(query)).toMatchObject({
      subtype: 'success',
      result: 'There was no request yet.',
      num_turns: 0,
    });
    expect(queries.api.requests).toEqual([]);
  });

  it('leave to the model the skills that the option names, without approval', async () => {
    const load = { tools: [{ name: 'Skill', input: { skill: 'notes' } }] };
    const queries = await createQueries({
      handler: ({ body }) => (body.messages.length === 1 ? load : { text: 'Done.' }),
    });
    await files(queries);
    await writeFile(queries.at('.claude/commands/make.md'), 'Make.\n');
    await writeFile(
      queries.at('.claude/commands/notes.md'),
      '---\nallowed-tools: Bash\n---\nNotes.\n',
    );
    const listOf = async (skills: QueryOptions['skills']) => {
      const { length } = queries.api.requests;
      await resultOf(queries.ask('Go.', { settingSources: ['project'], skills }));
      const [first, second] = queries.api.requests.slice(length);
      const tools = first?.body['tools'] as readonly { name: string; description: string }[];
      const list = tools.find(({ name }) => name === 'Skill')?.description.split('Skills:\n')[1];
      return [list, JSON.stringify(second?.body.messages.at(-1)).includes('"is_error":true')];
    };
    expect(await listOf(undefined)).toEqual(['- make: Make.\n- notes: Notes.', true]);
    expect(await listOf('all')).toEqual(['- make: Make.\n- notes: Notes.', false]);
    expect(await listOf(['notes'])).toEqual(['- notes: Notes.', false]);
    expect(await listOf([])).toEqual([undefined, true]);
    await resultOf(queries.ask('Go.', { skills: ['ntoes'] }));
    expect(queries.told).toEqual(['troupe: skills: there is no skill "ntoes".\n']);
  });

  it('are rejected if they are unknown or cannot be used', async () => {
    const queries = await createQueries({ replies: [] });
    await files(queries);
    const options = { settingSources: ['project'] } as const;
    await expect(queries.ask('/ntoes', options).next()).rejects.toThrow('Did you mean /notes?');
    await writeFile(queries.at('.claude/commands/notes.md'), '!`exit 3`');
    await expect(collect(queries.ask('/notes', options))).rejects.toThrow(
      'The skill "notes" was not used, because its command failed: exit 3',
    );
  });
});

describe('what a query can be asked', () => {
  it('is answered before and after it has begun', async () => {
    const { ask } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const agents = { reviewer: { description: 'Reviews.', prompt: 'You review.' } };
    const query = ask('Hi.', { agents });
    expect((await query.supportedCommands())[0]).toEqual({
      name: 'compact',
      description: 'replaces the conversation by a summary',
      argumentHint: '[INSTRUCTIONS]',
    });
    expect(await query.supportedAgents()).toContainEqual({
      name: 'reviewer',
      description: 'Reviews.',
    });
    const models = await query.supportedModels();
    expect(models.map(({ value, resolvedModel }) => [value, resolvedModel])).toEqual([
      ['default', 'claude-sonnet-5-5'],
      ['sonnet', 'claude-sonnet-5-5'],
      ['opus', 'claude-opus-5-5'],
      ['haiku', 'claude-haiku-5-5'],
      ['fable', 'claude-fable-5-1'],
      ['best', 'claude-opus-5-5'],
      ['opusplan', 'claude-sonnet-5-5'],
    ]);
    expect(await query.reinitialize()).toEqual(await query.initializationResult());
    expect(await query.mcpServerStatus()).toEqual([]);
    expect(await query.accountInfo()).toEqual({ apiKeySource: 'ANTHROPIC_API_KEY' });
    await expect(query.setPermissionMode('sloppy' as never)).rejects.toThrow(
      'There is no permission mode "sloppy".',
    );
    await expect(query.setPermissionMode('bypassPermissions')).rejects.toThrow('bypassPermissions');
    await expect(query.stopTask('a00000000')).rejects.toThrow('There is no task "a00000000".');
    expect(await resultOf(query)).toMatchObject({ result: 'Hello.' });
    await expect(query.setModel('haiku')).rejects.toThrow('The query has ended.');
  });
});

describe('a method of the SDK that no session supports', () => {
  const methods = Object.keys(UNSUPPORTED_METHODS) as (keyof typeof UNSUPPORTED_METHODS)[];

  it.each(methods)('%s() rejects with what works instead, and begins nothing', async (name) => {
    const { ask, home } = await createQueries({ replies: [] });
    const query = ask('Hi.');
    const refusal: unknown = await query[name]().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UsageError);
    expect((refusal as UsageError).message).toMatch(/^"\w+\(\)" is not supported\. [A-Z].+\.$/);
    expect(existsSync(home)).toBe(false);
  });

  it('says the same as the control request', async () => {
    const { ask } = await createQueries({ replies: [] });
    await expect(ask('Hi.').readFile('a.txt')).rejects.toThrow(
      '"readFile()" is not supported. Read the file in the program, or ask the agent to.',
    );
  });
});

it('gives files the content that they had before a user message', async () => {
  const { ask, at } = await createQueries({
    replies: [
      { tools: [{ name: 'Write', input: { file_path: 'new.txt', content: 'a\nb\n' } }] },
      { text: 'Made.' },
    ],
  });
  const uuid = '0123abcd-0123-4123-8123-0123456789ab';
  const over = createGate();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    const message = { role: 'user', content: 'Go.' } as const;
    yield { type: 'user', message, parent_tool_use_id: null, uuid };
    await over.opened;
  }
  const running = ask(prompts(), { enableFileCheckpointing: true, permissionMode: 'acceptEdits' });
  for await (const message of running) {
    if (message.type !== 'result') continue;
    const change = { canRewind: true, filesChanged: [at('new.txt')], insertions: 0, deletions: 2 };
    expect(await running.rewindFiles(uuid, { dryRun: true })).toEqual(change);
    expect(existsSync(at('new.txt'))).toBe(true);
    expect(await running.rewindFiles(uuid)).toEqual(change);
    expect(existsSync(at('new.txt'))).toBe(false);
    expect(await running.rewindFiles('nothing')).toEqual({
      canRewind: false,
      error: expect.stringMatching(/^The session \S+ has no message "nothing"\.$/) as string,
    });
    over.open();
  }
});

describe('bypassPermissions', () => {
  it.runIf(process.getuid?.() === 0)('is refused for root', async () => {
    const { ask } = await createQueries({ replies: [] });
    await expect(ask('Hi.', BYPASS).next()).rejects.toThrow('refused for root');
  });

  it('is there in a sandbox, and may be switched to if the program allows it', async () => {
    const { ask, env } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    const sandboxed = { ...env, IS_SANDBOX: '1' };
    const [init] = await collect(ask('Hi.', { ...BYPASS, env: sandboxed }));
    expect(init).toMatchObject({ permissionMode: 'bypassPermissions' });
    const query = ask('Hi.', { allowDangerouslySkipPermissions: true, env: sandboxed });
    await query.setPermissionMode('bypassPermissions');
    expect(await resultOf(query)).toMatchObject({ is_error: false });
  });
});
