import { describe, expect, it } from 'vitest';
import { agent, answer, bash, newestText, requestsOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];
const MARKDOWN = ['--output-format', 'markdown'];

function userLine(content: unknown): string {
  return JSON.stringify({ type: 'user', message: { role: 'user', content } });
}

describe.concurrent('--include-partial-messages', () => {
  it('tells replies while they come, of sub-agents too', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('sub')] }, { text: 'done' }],
        sub: [{ text: 'deep' }],
      }),
    });
    const args = ['-p', 'go', ...STREAM, '--include-partial-messages', '--forward-subagent-text'];
    const { code, lines } = await place.call(args, { api });
    expect(code).toBe(0);
    const events = lines.filter(({ type }) => type === 'stream_event');
    expect(events.filter(({ parent_tool_use_id: parent }) => parent === null)[0]).toMatchObject({
      event: { type: 'message_start' },
    });
    expect(events.filter(({ parent_tool_use_id: parent }) => parent !== null)).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({ delta: { type: 'text_delta', text: 'deep' } }),
      }),
    );
    const without = await place.call(['-p', 'go', ...STREAM], { api });
    expect(without.lines.filter(({ type }) => type === 'stream_event')).toEqual([]);
  });
});

describe.concurrent('--replay-user-messages', () => {
  it('tells the prompts of the client', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }] });
    const args = ['--input-format', 'stream-json', ...STREAM, '--replay-user-messages'];
    const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const input = `${JSON.stringify({ ...JSON.parse(userLine('go')), uuid })}\n`;
    const { code, lines } = await place.call([...args, ''], { api, input });
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === 'user')).toEqual([
      expect.objectContaining({
        message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
        parent_tool_use_id: null,
        isReplay: true,
        uuid,
      }),
    ]);
  });
});

describe.concurrent('CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS', () => {
  it('tells when a turn begins and after its result', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
    const api = await place.api({ replies: [{ text: 'one' }] });
    const { lines } = await place.call(['-p', 'go', ...STREAM], { api, env });
    expect(lines.map(({ type, subtype, state }) => state ?? subtype ?? type)).toEqual([
      'init',
      'running',
      'assistant',
      'success',
      'idle',
    ]);
  });
});

describe.concurrent('flags of streams', () => {
  it.each([
    [
      ['-p', 'x', '--include-partial-messages'],
      '--include-partial-messages needs --output-format stream-json.',
    ],
    [
      ['-p', 'x', '--forward-subagent-text'],
      '--forward-subagent-text needs --output-format stream-json.',
    ],
    [
      ['-p', 'x', '--replay-user-messages', ...STREAM],
      '--replay-user-messages needs --input-format stream-json.',
    ],
    [
      ['-p', 'x', '--input-format', 'json'],
      'With --input-format json the prompts come on stdin, as one JSON document. Leave the prompt out.',
    ],
  ])('%j are refused if they have no effect', async (args, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    expect(await place.call(args)).toMatchObject({ code: 2, stderr: `troupe: ${message}\n` });
    for (const cleanup of cleanups) await cleanup();
  });
});

describe.concurrent('--input-format json', () => {
  const RUN = ['-p', '--input-format', 'json'];

  it.each([
    ['{"prompt": "go"}', 'go'],
    ['"go"', 'go'],
    ['{"prompt": [{"type": "text", "text": "in blocks"}]}', 'in blocks'],
    ['{"role": "user", "content": "a message"}', 'a message'],
  ])('runs %s', async (input, prompt) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    const api = await place.api({ replies: [{ text: 'ok' }] });
    expect(await place.call(RUN, { api, input })).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(newestText(api.requests[0])).toBe(prompt);
    for (const cleanup of cleanups) await cleanup();
  });

  it('runs a list in order, each prompt after the answer to the one before it', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'one' }, { text: 'two' }, { text: 'three' }] });
    const input = JSON.stringify(['a', { prompt: 'b' }, JSON.parse(userLine('c'))]);
    expect(await place.call(RUN, { api, input })).toMatchObject({
      code: 0,
      stdout: 'one\ntwo\nthree\n',
      stderr: '',
    });
    expect(api.requests.map(newestText)).toEqual(['a', 'b', 'c']);
  });

  it('stops at the first prompt that fails', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ text: 'one' }, { status: 400, error: { type: 'invalid', message: 'no' } }],
    });
    const { code, stdout } = await place.call(RUN, { api, input: '["a", "b", "c"]' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'one\n' });
    expect(api.requests).toHaveLength(2);
  });

  it.each([
    ['{"prompt": ', 'stdin:1:12: This is not JSON'],
    ['[]', 'stdin:1:1: The list of prompts is empty.'],
    ['["a",\n  {"promt": "b"}]', 'stdin:2:3: This is not a prompt. Write "text", {"prompt": …}'],
    [
      '{"prompt": 7}',
      'stdin:1:12: "prompt" must be a text, or a list of text and image blocks, not the number 7.',
    ],
    [
      '{"prompt": "a", "model": "x"}',
      'stdin:1:1: The prompt: there is no field "model". There is only prompt.',
    ],
    ['7', 'stdin:1:1: This is not a prompt.'],
    ['', 'There is no prompt.'],
  ])('says what is wrong with %j', async (input, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    const { code, stderr } = await place.call(RUN, { input });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    for (const cleanup of cleanups) await cleanup();
  });
});

describe.concurrent('--output-format markdown', () => {
  it('tells the whole run', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [
          { text: 'I look first.', tools: [bash("echo '```'")] },
          { tools: [agent('sub')] },
          { text: '**Done.**' },
        ],
        sub: [{ text: 'Deep words.' }],
      }),
    });
    const args = ['-p', 'go', ...MARKDOWN, '--allowedTools', 'Bash(echo *)'];
    const { code, stdout, stderr } = await place.call(args, { api });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const told = stdout
      .replace(/^# Session .*$/m, '# Session ID')
      .replace(place.cwd, '/work')
      .replace(/\d+\.\d s/, 'TIME')
      .replace(/\$[\d.]+/, 'COST')
      .replace(/\[Agent: \S+,/, '[Agent: ID,');
    expect(told).toBe(
      [
        '# Session ID',
        'Model `claude-sonnet-5-5` in `/work`',
        '## Prompt',
        'go',
        'I look first.',
        '### Bash',
        '````json\n{\n  "command": "echo \'```\'"\n}\n````',
        '**Result of `Bash`**',
        '````text\n```\n````',
        '### Agent',
        '```json\n{\n  "description": "sub",\n  "prompt": "sub",\n  "subagent_type": "general-purpose"\n}\n```',
        '> ### Agent sub (general-purpose)\n>\n> **Task**\n>\n> ```text\n> sub\n> ```',
        '> Deep words.',
        '### The main agent continues\n\n**Result of `Agent`**',
        '```text\nDeep words.\n\n[Agent: ID, for resume]\n```',
        '**Done.**',
        '## Result',
        '**Done.**',
        '*success · 3 turns · TIME · COST*',
        '',
      ].join('\n\n'),
    );
  });

  it('tells how a run failed, and of an answer that was asked for as JSON', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const failing = await place.api({
      replies: [{ status: 400, error: { type: 'invalid', message: 'no *such* model' } }],
    });
    const failed = await place.call(['-p', 'go', ...MARKDOWN], { api: failing });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/## Result\n\n- .*no \\\*such\\\* model.*\n\n\*error\\_during/);

    const api = await place.api({
      replies: [{ tools: [{ name: 'StructuredOutput', input: { a: 1 } }] }, { text: 'ok' }],
    });
    const { stdout } = await place.call(
      ['-p', 'go', ...MARKDOWN, '--json-schema', '{"type":"object"}'],
      { api },
    );
    expect(stdout).toContain('## Result\n\n```json\n{\n  "a": 1\n}\n```\n\n*success');
  });

  it('shortens long results and says by how much', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('seq 1 100')] }, { text: 'ok' }] });
    const args = ['-p', 'go', ...MARKDOWN, '--allowedTools', 'Bash(seq *)'];
    const { stdout } = await place.call(args, { api });
    expect(stdout).toMatch(/\n39\n40\n… \(\d+ more characters\)\n```/);
    expect(requestsOf(api, 'go')).toHaveLength(2);
  });
});
