import { describe, expect, it } from 'vitest';
import {
  agent,
  answer,
  bash,
  newestText,
  requestsOf,
  results,
  textOf,
  write,
} from './support/answers.js';
import { createPlace } from './support/place.js';
import { createGate } from '../support/gate.js';
import type { Line } from './support/troupe-process.js';
import { findExecutable } from '../../src/processes/start/containment.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function ofSubtype(lines: readonly Line[], subtype: string): readonly Line[] {
  return lines.filter((line) => line['subtype'] === subtype);
}

/** Tool results of `user` lines: the id, and whether it is an error. */
function resultLines(lines: readonly Line[]) {
  return lines.flatMap((line) => {
    if (line.type !== 'user') return [];
    const { content } = line['message'] as { content: readonly Record<string, unknown>[] };
    return content
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({
        id: block['tool_use_id'],
        isError: block['is_error'] === true,
        text: textOf(block['content']),
        parent: line['parent_tool_use_id'],
      }));
  });
}

const HAS_TMUX = findExecutable('tmux', process.env) !== undefined;

describe.concurrent('troupe -p', () => {
  it('prints the answer and nothing else', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'Four.' }] });
    expect(await place.run(['-p', 'two and two?'], { api })).toMatchObject({
      code: 0,
      stdout: 'Four.\n',
      stderr: '',
    });
  });

  it('takes a prompt from stdin', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'Read.' }] });
    const { code, stdout } = await place.run(['-p'], { api, input: 'from a pipe\n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Read.\n' });
    expect(newestText(api.requests[0])).toBe('from a pipe');
  });

  it('prints one result as json', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const sessionId = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';
    const api = await place.api({ replies: [{ text: 'Four.' }] });
    const { code, stdout, stderr } = await place.call(
      [
        '-p',
        'two and two?',
        '--output-format',
        'json',
        '--session-id',
        sessionId,
        '--model',
        'claude-sonnet-4-6',
      ],
      { api },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Four.',
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      num_turns: 1,
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      result_index: 0,
      total_cost_usd: (10 * 3 + 2 * 15) / 1_000_000,
      usage: {
        input_tokens: 10,
        output_tokens: 2,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      modelUsage: {
        'claude-sonnet-4-6': {
          inputTokens: 10,
          outputTokens: 2,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          webSearchRequests: 0,
          contextWindow: 1_000_000,
          maxOutputTokens: 32_000,
          costUSD: (10 * 3 + 2 * 15) / 1_000_000,
        },
      },
      permission_denials: [],
      session_id: sessionId,
      uuid: expect.stringMatching(UUID),
    });
    expect((await place.session()).endsWith(sessionId)).toBe(true);
  });

  it('begins a stream with what the session has, ends it with the result, and marks every line', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('echo hi')] }, { text: 'Done.' }] });
    const { code, stdout, stderr, lines } = await place.run(['-p', 'go', ...STREAM], { api });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines).toHaveLength(stdout.trimEnd().split('\n').length);
    expect(lines[0]).toEqual({
      type: 'system',
      subtype: 'init',
      cwd: place.cwd,
      tools: [
        'Agent',
        'AskUserQuestion',
        'Bash',
        'BashOutput',
        'CronCreate',
        'CronDelete',
        'CronList',
        'Edit',
        'EnterPlanMode',
        'EnterWorktree',
        'ExitPlanMode',
        'ExitWorktree',
        'Glob',
        'Grep',
        'KillShell',
        'Monitor',
        'MultiEdit',
        'NotebookEdit',
        'Read',
        'RemoteTrigger',
        'Sandbox',
        'SendMessage',
        'Sleep',
        'TaskCreate',
        'TaskGet',
        'TaskList',
        'TaskOutput',
        'TaskStop',
        'TaskUpdate',
        'TeamCreate',
        'TeamDelete',
        ...(HAS_TMUX ? ['Tmux'] : []),
        'TodoWrite',
        'ToolSearch',
        'WebFetch',
        'WebSearch',
        'Workflow',
        'Write',
      ],
      mcp_servers: [],
      model: expect.stringContaining('sonnet'),
      permissionMode: 'default',
      slash_commands:
        'compact agents context dream help cost hooks mcp memory model permissions plugins reload-plugins skills status tasks init review security-review config doctor export'.split(
          ' ',
        ),
      agents: ['general-purpose', 'Explore', 'Plan', 'coordinator', 'worker'],
      skills: [],
      plugins: [],
      apiKeySource: 'ANTHROPIC_API_KEY',
      output_style: 'default',
      effort: null,
      claude_code_version: expect.stringMatching(/^2\.\d+\.\d+$/),
      capabilities: [],
      uuid: expect.stringMatching(UUID),
      session_id: expect.stringMatching(UUID),
    });
    const types = lines.map(({ type }) => type).filter((type) => type !== 'tool_progress'); // as many as there are chunks
    expect(types).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    const [init] = lines;
    expect(new Set(lines.map((line) => line['session_id']))).toEqual(
      new Set([init?.['session_id']]),
    );
    expect(new Set(lines.map((line) => line['uuid'])).size).toBe(lines.length);
    for (const line of lines) expect(line['uuid']).toMatch(UUID);
  });

  it('ends with 1 when nobody reads its output any more', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const closed = createGate();
    const api = await place.api({
      handler: async () => {
        await closed.opened;
        return { text: 'Unread.' };
      },
    });
    const troupe = place.start(['-p', 'go', ...STREAM], { api });
    await troupe.line('init', ({ subtype }) => subtype === 'init');
    troupe.closeOutput();
    closed.open();
    expect(await troupe.ended).toMatchObject({
      code: 1,
      signal: null,
      stderr: '',
    });
  });

  it('gives results in the order of the requests, however long each takes', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
    const api = await place.api({
      replies: [
        {
          tools: [
            agent('slow'),
            { name: 'Read', input: { file_path: place.at('a.txt') } },
            { name: 'Read', input: { file_path: place.at('b.txt') } },
          ],
        },
      ],
      handler: answer({
        go: [{ text: 'not reached' }, { text: 'Done.' }],
        slow: [{ tools: [bash('sleep 0.4')] }, { text: 'late' }],
      }),
    });
    const args = ['-p', 'go', ...STREAM, '--allowedTools', 'Bash(sleep *)'];
    const { code, lines } = await place.call(args, { api });
    expect(code).toBe(0);
    const ids = [0, 1, 2].map((position) => `toolu_fake_0_${position}`);
    expect(results(requestsOf(api, 'go')[1]).map((result) => result.tool_use_id)).toEqual(ids);
    const own = resultLines(lines).filter(({ parent }) => parent === null);
    expect(own.map(({ id }) => id)).toEqual(ids);
  });

  it('names what was wrong in each error that the model gets', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        {
          tools: [
            { name: 'Fly', input: {} },
            { name: 'Read', input: { path: 'x' } },
            { name: 'Read', input: { file_path: place.at('missing.txt') } },
            { name: 'SendMessage', input: { to: 'nobody', message: 'hello' } },
            { name: 'TaskStop', input: { task_id: 'b00000000' } },
            { name: 'TaskOutput', input: { task_id: 'b00000000' } },
            agent('x', { subagent_type: 'pilot' }),
            write(place.at('new.txt'), 'x'),
            bash('sleep 5', { timeout: 200 }),
          ],
        },
        { text: 'Done.' },
      ],
    });
    const { lines } = await place.call(['-p', 'go', ...STREAM, '--allowedTools', 'Bash(sleep *)'], {
      api,
    });
    const told = resultLines(lines);
    expect(told.map(({ isError }) => isError)).toEqual(Array.from({ length: 9 }, () => true));
    const named = [
      'No tool named "Fly". Available: Agent, AskUserQuestion',
      'Read: file_path is required',
      place.at('missing.txt'),
      'there is no agent "nobody"',
      'TaskStop: no task has the ID "b00000000"',
      'TaskOutput: no task has the ID "b00000000"',
      'Agent: there is no agent of the type "pilot"',
      'Permission to use Write',
      'timed out after 200 ms',
    ];
    expect(told.map(({ text }, index) => text.includes(named[index] as string) || text)).toEqual(
      named.map(() => true),
    );
    expect(results(api.requests[1]).map(({ is_error }) => is_error)).toEqual(named.map(() => true));
    expect(place.has('new.txt')).toBe(false);
  });

  it('cancels the shell commands after one that failed or was refused, and says which', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [bash('false'), bash('echo not reached')] },
        { tools: [bash('touch a.txt'), bash('echo not reached')] },
        { tools: [bash(''), bash('echo not reached')] },
        { text: 'Done.' },
      ],
    });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: ['false', 'touch a.txt']
        .map(
          (command) =>
            `troupe: denied: Bash(${command}). Allow it: --allowedTools 'Bash(${command})'\n` +
            `troupe: not run: Bash(echo not reached), because Bash(${command}) beside it was denied.\n`,
        )
        .concat(
          'troupe: not run: Bash(echo not reached), because Bash beside it failed.\n', // its input is invalid
        )
        .join(''),
    });
    const texts = api.requests.slice(1).map((request) => textOf(results(request)[1]?.content));
    expect(texts).toEqual([
      'Cancelled: parallel tool call Bash(false) errored',
      'Cancelled: parallel tool call Bash(touch a.txt) errored',
      'Cancelled: parallel tool call Bash errored',
    ]);
  });

  it('saves an output that is too long and names the file by its absolute path', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('seq 1 20000')] }, { text: 'Done.' }] });
    await place.call(['-p', 'go', '--allowedTools', 'Bash(seq *)'], { api });
    const text = textOf(results(api.requests[1])[0]?.content);
    const [, path = ''] = /(\/\S+)/.exec(text) ?? [];
    expect(path.startsWith(place.troupeHome)).toBe(true);
    expect(text.length).toBeLessThan(31_000);
  });
});

describe.concurrent('a tree of agents in stream-json', () => {
  it('tells whose every message is, when tasks begin and end, and what was refused below', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        'Do  it\n\twith "care" – ünïcode.': [
          { tools: [agent('  first level,\nas it is  ')] },
          { text: 'All done.' },
        ],
        '  first level,\nas it is  ': [
          { tools: [agent('second level'), write(place.at('a.txt'), 'a')] },
          { text: 'First done.' },
        ],
        'second level': [{ tools: [write(place.at('b.txt'), 'b')] }, { text: 'Second done.' }],
      }),
    });
    const prompt = 'Do  it\n\twith "care" – ünïcode.';
    const { code, lines } = await place.call(['-p', prompt, ...STREAM], { api });
    expect(code).toBe(0);

    const started = ofSubtype(lines, 'task_started');
    const ids = started.map((line) => line['task_id']);
    const useIds = started.map((line) => line['tool_use_id']);
    expect(started).toEqual([
      {
        type: 'system',
        subtype: 'task_started',
        task_id: expect.stringMatching(/^a[0-9a-z]{8}$/),
        tool_use_id: 'toolu_fake_0_0',
        description: expect.any(String),
        subagent_type: 'general-purpose',
        task_type: 'local_agent',
        spawn_depth: 1,
        is_backgrounded: expect.any(Boolean),
        uuid: expect.any(String),
        session_id: expect.any(String),
      },
      {
        type: 'system',
        subtype: 'task_started',
        task_id: expect.stringMatching(/^a[0-9a-z]{8}$/),
        tool_use_id: 'toolu_fake_1_0',
        description: 'second level',
        subagent_type: 'general-purpose',
        task_type: 'local_agent',
        parent_task_id: ids[0],
        spawn_depth: 2,
        is_backgrounded: expect.any(Boolean),
        uuid: expect.any(String),
        session_id: expect.any(String),
      },
    ]);
    const statusesOf = (id: unknown): readonly unknown[] =>
      ofSubtype(lines, 'task_updated')
        .filter((line) => line['task_id'] === id)
        .map((line) => (line['patch'] as { status: string }).status);
    expect(ids.map(statusesOf)).toEqual([
      ['running', 'completed'],
      ['running', 'completed'],
    ]);
    expect(
      ofSubtype(lines, 'task_notification').map((line) => [line['task_id'], line['status']]),
    ).toEqual([
      [ids[1], 'completed'],
      [ids[0], 'completed'],
    ]);

    const said = lines
      .filter(({ type }) => type === 'assistant')
      .map((line) => {
        const { content } = line['message'] as { content: readonly Record<string, unknown>[] };
        return [line['parent_tool_use_id'], content[0]?.['name'] ?? content[0]?.['text']];
      });
    expect(new Set(said.map((one) => JSON.stringify(one)))).toEqual(
      new Set(
        [
          [null, 'Agent'],
          [useIds[0], 'Agent'],
          [useIds[0], 'Write'],
          [useIds[1], 'Write'],
          [useIds[1], 'Second done.'],
          [useIds[0], 'First done.'],
          [null, 'All done.'],
        ].map((one) => JSON.stringify(one)),
      ),
    );

    const result = lines.at(-1);
    const replies = api.requests.length;
    expect(replies).toBe(6);
    expect(result).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'All done.',
      num_turns: 2,
      usage: { input_tokens: 10 * replies },
    });
    const denials = result?.['permission_denials'] as readonly Record<string, unknown>[];
    expect(
      new Set(denials.map(({ tool_input }) => (tool_input as { content: string }).content)),
    ).toEqual(new Set(['a', 'b']));
    expect(denials.map(({ tool_name }) => tool_name)).toEqual(['Write', 'Write']);
    expect(new Set(ofSubtype(lines, 'permission_denied').map((line) => line['agent_id']))).toEqual(
      new Set(ids),
    );

    // the prompts stand unchanged in the first user message, and all agents have tools
    const firsts = api.requests.filter(({ body }) => body.messages.length === 1);
    expect(firsts.map((request) => newestText(request))).toEqual([
      prompt,
      '  first level,\nas it is  ',
      'second level',
    ]);
    for (const { body } of api.requests) expect(body['tools']).not.toEqual([]);
  });

  it('holds the result back until background agents have reported', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('slow', { run_in_background: true })] },
          { text: 'Started.' },
          { text: 'It has reported.' },
        ],
        slow: [{ tools: [bash('sleep 0.5')] }, { text: 'The slow report.' }],
      }),
    });
    const { code, lines } = await place.call(
      ['-p', 'go', ...STREAM, '--allowedTools', 'Bash(sleep *)'],
      { api },
    );
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      result: 'It has reported.',
      num_turns: 3,
    });
    const [, , third] = requestsOf(api, 'go');
    const notifications = results(third).length === 0 ? newestText(third) : '';
    expect(notifications.match(/<task-notification>/g)).toHaveLength(1);
    expect(notifications).toContain('<result>The slow report.</result>');
  });

  it('tells a background command from its start to its end, and ends it before the process', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [bash('sleep 1000; echo never', { run_in_background: true })] },
        { text: 'It runs on.' },
      ],
    });
    const startedAt = Date.now();
    const { code, lines } = await place.run(
      ['-p', 'go', ...STREAM, '--allowedTools', 'Bash(sleep *)'],
      { api },
    );
    expect(code).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    const [started] = ofSubtype(lines, 'task_started');
    const id = started?.['task_id'];
    expect(started).toMatchObject({
      task_id: expect.stringMatching(/^b[0-9a-z]{8}$/),
      tool_use_id: 'toolu_fake_0_0',
      task_type: 'local_bash',
      spawn_depth: 1,
    });
    expect(
      lines
        .filter((line) => line['task_id'] === id)
        .map((line) => line['status'] ?? (line['patch'] as { status?: string })?.status),
    ).toEqual([undefined, 'running', 'killed', 'stopped']);
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'It runs on.' });
  });
});
