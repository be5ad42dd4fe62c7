import { describe, expect, it, vi } from 'vitest';
import { bash, firstPrompt, newestText, write } from '../e2e/support/answers.js';
import {
  collect,
  createProgram,
  createPrompts,
  published,
  resultOf,
  type Message,
} from './support.js';

const DONE = { text: 'Done.' };
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STALLED = { text: 'Never said.', fault: { afterEvents: 1, kind: 'stall' } } as const;

describe.concurrent('a session of the published SDK', () => {
  it('answers a prompt', async ({ onTestFinished }) => {
    const { api, place, run, stderr } = await createProgram(onTestFinished, { replies: [DONE] });
    const messages = await run('go');
    expect(messages.map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'assistant',
      'success',
    ]);
    expect(messages[0]).toMatchObject({
      cwd: place.cwd,
      claude_code_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(resultOf(messages)).toMatchObject({ result: 'Done.', is_error: false, num_turns: 1 });
    expect(firstPrompt(api.requests[0]!.body)).toBe('go');
    expect(stderr).toEqual([]);
  });

  it('is in the lists that the SDK makes of transcripts', async ({ onTestFinished }) => {
    const { place, run } = await createProgram(onTestFinished, {
      replies: [{ text: 'I look.', tools: [bash('echo out')] }, DONE],
    });
    const { session_id: id } = resultOf(await run('look around', { allowedTools: ['Bash'] }));
    vi.stubEnv('CLAUDE_CONFIG_DIR', place.troupeHome);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await published.listSessions({ dir: place.cwd })).toMatchObject([
      { sessionId: id, summary: 'look around', firstPrompt: 'look around', cwd: place.cwd },
    ]);
    const messages = await published.getSessionMessages(String(id), { dir: place.cwd });
    expect(messages.map(({ message }) => message)).toMatchObject([
      { role: 'user', content: 'look around' },
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }] },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'Bash' }] },
      { role: 'user', content: [{ type: 'tool_result', content: 'out' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
    ]);
  });

  it('takes several prompts one by one, and keeps the conversation', async ({ onTestFinished }) => {
    const { api, query } = await createProgram(onTestFinished, {
      replies: [{ text: 'One.' }, { text: 'Two.' }],
    });
    const prompts = createPrompts();
    prompts.say('first');
    const said: unknown[] = [];
    for await (const message of query(prompts)) {
      if (message.type !== 'result') continue;
      said.push(message['result']);
      if (said.length === 1) prompts.say('second');
      else prompts.end();
    }
    expect(said).toEqual(['One.', 'Two.']);
    expect(api.requests[1]?.body.messages).toHaveLength(3);
  });

  it('changes the model and the mode between prompts', async ({ onTestFinished }) => {
    const { api, place, query } = await createProgram(onTestFinished, {
      replies: [{ text: 'One.' }, { tools: [write('made', 'yes')] }, DONE],
    });
    const prompts = createPrompts();
    prompts.say('first');
    const running = query(prompts, { model: 'sonnet' });
    let count = 0;
    for await (const message of running) {
      if (message.type !== 'result') continue;
      count += 1;
      if (count === 2) prompts.end();
      else {
        await running.setModel('claude-opus-5-5');
        await running.setPermissionMode('acceptEdits');
        prompts.say('second');
      }
    }
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      'claude-sonnet-5-5',
      'claude-opus-5-5',
      'claude-opus-5-5',
    ]);
    expect(await place.files()).toEqual(['made']);
  });

  it('lists the output styles, with those that are new since its start', async ({
    onTestFinished,
  }) => {
    const { place, query } = await createProgram(onTestFinished, { replies: [DONE] });
    const prompts = createPrompts();
    const running = query(prompts);
    const before = await running.initializationResult();
    await place.write({ '.claude/output-styles/dry.md': '---\nname: Dry\n---\nBe dry.' });
    const after = await running.reloadOutputStyles();
    prompts.end();
    await collect(running);
    const builtIn = ['default', 'Proactive', 'Concise', 'Explanatory', 'Learning'];
    expect([before.available_output_styles, after.available_output_styles]).toEqual([
      builtIn,
      [...builtIn, 'Dry'],
    ]);
  });

  it('is interrupted, and takes the next prompt', async ({ onTestFinished }) => {
    const { api, query } = await createProgram(onTestFinished, { replies: [STALLED, DONE] });
    const prompts = createPrompts();
    prompts.say('first');
    const running = query(prompts);
    const ended = collect(running);
    await api.request(0);
    await running.interrupt();
    prompts.say('second');
    await api.request(1);
    prompts.end();
    const of = (await ended).filter(({ type }) => type === 'result');
    expect(of.map(({ subtype }) => subtype)).toEqual(['error_during_execution', 'success']);
  });

  it('ends when its controller aborts', async ({ onTestFinished }) => {
    const { api, run } = await createProgram(onTestFinished, { replies: [STALLED] });
    const abortController = new AbortController();
    const ended = run('go', { abortController }).then(
      () => 'ended',
      (error: Error) => error.message,
    );
    await api.request(0);
    abortController.abort();
    expect(await ended).toMatch(/aborted/);
    expect(await api.requests[0]?.closed).toBe('hung up');
  });

  it('is resumed, also with its options, and forked', async ({ onTestFinished }) => {
    const { api, run } = await createProgram(onTestFinished, {
      replies: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }],
    });
    const options = { systemPrompt: 'You count.' };
    const { session_id: first } = resultOf(await run('first', options));
    const resumed = resultOf(await run('second', { ...options, resume: first }));
    const forked = resultOf(await run('third', { ...options, resume: first, forkSession: true }));
    const continued = resultOf(await run('fourth', { ...options, continue: true }));
    expect(resumed).toMatchObject({ session_id: first, result: 'Two.' });
    expect(forked['session_id']).not.toBe(first);
    expect(continued['session_id']).toBe(forked['session_id']);
    expect(api.requests.map(({ body }) => body.messages.length)).toEqual([1, 3, 5, 7]);
  });

  it('stops at a number of turns', async ({ onTestFinished }) => {
    const { api, run } = await createProgram(onTestFinished, {
      handler: () => ({ tools: [bash('true')] }),
    });
    const messages: Message[] = [];
    await run('go', { maxTurns: 2, allowedTools: ['Bash'] }).then(
      (all) => messages.push(...all),
      (error: Error) => expect(error.message).toMatch(/maximum number of turns/i),
    );
    expect(api.requests).toHaveLength(2);
  });

  it('stops at a sum of money', async ({ onTestFinished }) => {
    const { api, query } = await createProgram(onTestFinished, {
      handler: () => ({ tools: [bash('true')] }),
    });
    const messages: Message[] = [];
    const read = async () => {
      const options = { maxBudgetUsd: 0.0001, allowedTools: ['Bash'], model: 'opus' };
      for await (const message of query('go', options)) messages.push(message);
    };
    await read().catch(() => {}); // the SDK throws after the result of a failed run
    expect(resultOf(messages)).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true });
    expect(api.requests.length).toBeLessThan(5);
  });

  it('reports each piece of a reply', async ({ onTestFinished }) => {
    const { run } = await createProgram(onTestFinished, { replies: [{ text: 'Done.' }] });
    const messages = await run('go', { includePartialMessages: true });
    const events = messages.flatMap(({ type, event }) =>
      type === 'stream_event' ? [(event as { readonly type: string }).type] : [],
    );
    expect(events).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('says when each message came', async ({ onTestFinished }) => {
    const { run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('echo out; echo err >&2')] }, DONE],
    });
    const messages = await run('go', { allowedTools: ['Bash'] });
    const timed = messages.filter(({ type }) => type === 'user' || type === 'assistant');
    expect(timed.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ['assistant', expect.stringMatching(ISO_TIME)],
      ['user', expect.stringMatching(ISO_TIME)],
      ['assistant', expect.stringMatching(ISO_TIME)],
    ]);
  });

  it('says what went wrong with the model', async ({ onTestFinished }) => {
    const { query } = await createProgram(onTestFinished, {
      handler: () => ({
        status: 401,
        error: { type: 'authentication_error', message: 'no such key' },
      }),
    });
    const messages: Message[] = [];
    const read = async () => {
      for await (const message of query('go')) messages.push(message);
    };
    const thrown = await read().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(`${JSON.stringify(resultOf(messages)['errors'])} ${thrown}`).toContain('no such key');
  });
});

describe.concurrent('what the published SDK asks of a session', () => {
  it('is answered before the first prompt', async ({ onTestFinished }) => {
    const { query } = await createProgram(onTestFinished, { replies: [DONE] });
    const prompts = createPrompts();
    const running = query(prompts, {
      agents: { counter: { description: 'Counts', prompt: 'You count.' } },
    });
    const ended = collect(running);
    const models = await running.supportedModels();
    expect(models.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['default', 'sonnet', 'opus', 'haiku']),
    );
    expect(models.find(({ value }) => value === 'sonnet')).toMatchObject({
      resolvedModel: 'claude-sonnet-5-5',
    });
    expect((await running.supportedCommands())[0]?.name).toBe('compact');
    expect((await running.supportedAgents()).map(({ name }) => name)).toContain('counter');
    expect(await running.mcpServerStatus()).toEqual([]);
    expect(await running.accountInfo()).toMatchObject({ apiKeySource: 'ANTHROPIC_API_KEY' });
    prompts.say('go');
    prompts.end();
    expect(resultOf(await ended)['result']).toBe('Done.');
  });
});

describe.concurrent('the system prompt of the published SDK', () => {
  const systemOf = (body: Readonly<Record<string, unknown>> | undefined): string =>
    JSON.stringify(body?.['system'] ?? '');

  it('is the one that a program gives, the preset, or the preset with an addition', async ({
    onTestFinished,
  }) => {
    const { api, run } = await createProgram(onTestFinished, { handler: () => DONE });
    await run('a', { systemPrompt: 'You count.' });
    await run('b', { systemPrompt: { type: 'preset', preset: 'claude_code' } });
    await run('c', {
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'You count too.' },
    });
    const [own, preset, appended] = api.requests.map(({ body }) => systemOf(body));
    expect(own).toContain('You count.');
    expect(preset).not.toContain('count');
    expect(appended).toContain('You count too.');
    expect(own!.length).toBeLessThan(preset!.length);
    expect(appended!.length).toBeGreaterThan(preset!.length);
    expect(newestText(api.requests[2])).toContain('c');
  });
});
