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
import {
  answered,
  ASKS,
  CLIENT,
  control,
  isAskFor,
  isResult,
  reply,
  say,
} from './support/stream-client.js';
import type { Line } from './support/troupe-process.js';

describe.concurrent('a stream-json client', () => {
  it('gets an answer to initialize, and a result for each prompt, until it closes stdin', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
    const troupe = place.start(CLIENT, { api, input: 'open' });
    troupe.send(control('req_1', { subtype: 'initialize', hooks: null }));
    expect(await answered(troupe, 'req_1')).toMatchObject({
      response: {
        subtype: 'success',
        request_id: 'req_1',
        response: { commands: expect.any(Array) as unknown },
      },
    });
    troupe.send(say('first'));
    await troupe.line('the first result', isResult);
    troupe.send(say('second'));
    await troupe.line('the second result', (line) => isResult(line) && line['result'] === 'Two.');
    troupe.endInput();
    const { code, stderr, lines } = await troupe.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines.filter(isResult).map((line) => [line['result'], line['num_turns']])).toEqual([
      ['One.', 1],
      ['Two.', 1],
    ]);
    expect(lines.filter((line) => line['subtype'] === 'init')).toHaveLength(1);
    expect(api.requests[1]?.body.messages).toHaveLength(3);
  });

  it('has the result last, also if a background command ends with the session', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const sleeps = {
      tools: [{ name: 'Bash', input: { command: 'sleep 600', run_in_background: true } }],
    };
    const api = await place.api({ replies: [sleeps, { text: 'It runs.' }] });
    const troupe = place.start([...CLIENT, '--allowedTools', 'Bash(sleep *)'], {
      api,
      input: 'open',
    });
    troupe.send(say('go'));
    await troupe.line('the result', isResult);
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect(code).toBe(0);
    expect(lines.filter((line) => line['subtype'] === 'task_started')).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'It runs.' });
  });

  it('ends with 0 if nothing was asked', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({});
    const { code, lines } = await place.call(CLIENT, { api, input: '' });
    expect({ code, results: lines.filter(isResult) }).toEqual({ code: 0, results: [] });
  });

  it('ends with 2 if no line could be used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({});
    const { code, stderr } = await place.call(CLIENT, { api, input: 'go\n' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^troupe: stdin:1: this is not JSON[^\n]+\n$/),
    });
    expect(api.requests).toEqual([]);
  });

  it('continues after a reply without a word', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: '' }, { text: 'Two.' }] });
    const troupe = place.start(CLIENT, { api, input: 'open' });
    troupe.send(say('first'));
    await troupe.line('the first result', isResult);
    troupe.send(say('second'));
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect({ code, problems: api.problems }).toEqual({ code: 0, problems: [] });
    expect(lines.filter(isResult).map((line) => line['result'])).toEqual(['', 'Two.']);
  });

  it('gets an error for each line that is invalid, and the session continues', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'Still here.' }] });
    const troupe = place.start(CLIENT, { api, input: 'open' });
    const bad = [
      '{"type":"user"',
      '[]',
      '{"type":"nonsense"}',
      '{"type":"user","message":{"role":"user","content":[]}}',
      '',
      '{"type":"control_response"}',
    ];
    for (const line of bad) troupe.send(line);
    troupe.send(control('req_9', { subtype: 'fly' }));
    troupe.send(control('req_10', { subtype: 'set_permission_mode', mode: 'anything' }));
    troupe.send(say('go'));
    troupe.endInput();
    const { code, stderr, lines } = await troupe.ended;
    expect(code).toBe(0);
    const told = lines.filter((line) => line['subtype'] === 'input_error');
    expect(told.map((line) => line['line'])).toEqual([1, 2, 3, 4, 6]);
    expect(told.map((line) => line['message'])).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('JSON object'),
      expect.stringContaining('"nonsense"'),
      expect.stringContaining('message.content'),
      expect.stringContaining('response'),
    ]);
    for (const line of told) expect(stderr).toContain(`stdin:${String(line['line'])}: `);
    for (const id of ['req_9', 'req_10'])
      expect(await answered(troupe, id)).toMatchObject({
        response: { subtype: 'error', error: expect.any(String) },
      });
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'Still here.' });
  });

  it('interrupts the turn, and the session continues', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [bash('sleep 1000')] }, { text: 'Next one.' }],
    });
    const troupe = place.start([...CLIENT, '--allowedTools', 'Bash(sleep *)'], {
      api,
      input: 'open',
    });
    troupe.send(say('long work'));
    await troupe.line('the tool use', (line) => line.type === 'assistant');
    troupe.send(control('req_1', { subtype: 'interrupt' }));
    await answered(troupe, 'req_1');
    await troupe.line('the result of the interrupted turn', isResult);
    troupe.send(say('and now'));
    await troupe.line('the next result', (line) => line['result'] === 'Next one.');
    troupe.endInput();
    const { code } = await troupe.ended;
    expect(code).toBe(0);
    expect(api.problems).toEqual([]);
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({ tool_use_id: 'toolu_fake_0_0', is_error: true }),
    ]);
    expect(newestText(api.requests[1])).toContain('and now');
  });

  it('sets the permission mode of the running session', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [
        { tools: [write(place.at('a.txt'), 'a')] },
        { text: 'Refused.' },
        { tools: [write(place.at('b.txt'), 'b')] },
        { text: 'Written.' },
      ],
    });
    const troupe = place.start(CLIENT, { api, input: 'open' });
    troupe.send(say('one'));
    await troupe.line('the first result', isResult);
    troupe.send(control('req_1', { subtype: 'set_permission_mode', mode: 'acceptEdits' }));
    await answered(troupe, 'req_1');
    troupe.send(say('two'));
    troupe.endInput();
    const { lines } = await troupe.ended;
    expect(await place.files()).toEqual(['b.txt']);
    const denials = lines.filter(isResult).map((line) => line['permission_denials']);
    expect(denials).toEqual([[expect.objectContaining({ tool_name: 'Write' })], []]);
  });
});

describe.concurrent('an ask over stdio', () => {
  it('names the tool, the input, the use and the agent; what is allowed runs as it was edited', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [write(place.at('root.txt'), 'root'), agent('below')] }, { text: 'Done.' }],
        below: [{ tools: [write(place.at('below.txt'), 'below')] }, { text: 'Below done.' }],
      }),
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const root = await troupe.line('the ask of the session', isAskFor('root.txt'));
    expect(root).toEqual({
      type: 'control_request',
      request_id: expect.any(String),
      request: expect.objectContaining({
        subtype: 'can_use_tool',
        tool_name: 'Write',
        input: { file_path: place.at('root.txt'), content: 'root' },
        tool_use_id: 'toolu_fake_0_0',
      }),
    });
    expect(root['request']).not.toHaveProperty('agent_id');
    troupe.send(
      reply(root, {
        behavior: 'allow',
        updatedInput: { file_path: place.at('root.txt'), content: 'edited' },
      }),
    );
    const below = await troupe.line('the ask of the sub-agent', isAskFor('below.txt'));
    const started = await troupe.line('task_started', (line) => line['subtype'] === 'task_started');
    expect((below['request'] as { agent_id?: string }).agent_id).toBe(started['task_id']);
    troupe.send(
      reply(below, {
        behavior: 'allow',
        updatedInput: { file_path: place.at('below.txt'), content: 'below' },
      }),
    );
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect(code).toBe(0);
    expect([await place.text('root.txt'), await place.text('below.txt')]).toEqual([
      'edited',
      'below',
    ]);
    expect(lines.at(-1)).toMatchObject({ result: 'Done.', permission_denials: [] });
  });

  it('gives the model the words of a refusal', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [write(place.at('a.txt'), 'a')] }, { text: 'Well.' }],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('a.txt'));
    troupe.send(reply(ask, { behavior: 'deny', message: 'use the other folder' }));
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect(code).toBe(0);
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({
        tool_use_id: 'toolu_fake_0_0',
        is_error: true,
        content: expect.stringContaining('use the other folder'),
      }),
    ]);
    expect(lines.at(-1)).toMatchObject({
      result: 'Well.',
      permission_denials: [
        {
          tool_name: 'Write',
          tool_use_id: 'toolu_fake_0_0',
          tool_input: { file_path: place.at('a.txt'), content: 'a' },
        },
      ],
    });
    expect(await place.files()).toEqual([]);
  });

  it('ends the turn if the refusal says so', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [write(place.at('a.txt'), 'a')] }] });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('a.txt'));
    troupe.send(reply(ask, { behavior: 'deny', message: 'stop it', interrupt: true }));
    expect(await troupe.line('the result', isResult)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
    });
    troupe.endInput();
    expect(await troupe.ended).toMatchObject({ code: 0 }); // as the client wanted it
    expect(api.requests).toHaveLength(1);
    expect(await place.files()).toEqual([]);
  });

  it('reports late, double and unknown answers, and nothing else happens', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [write(place.at('a.txt'), 'a')] }, { text: 'Done.' }],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('a.txt'));
    troupe.send(reply(ask, { behavior: 'allow' }));
    troupe.send(reply(ask, { behavior: 'deny', message: 'too late' }));
    const isDecided = (line: Line): boolean => line['subtype'] === 'already_decided';
    await troupe.line('already_decided', isDecided);
    await troupe.line('the result', isResult);
    troupe.send(reply(ask, { behavior: 'deny', message: 'much too late' }));
    await troupe.line(
      'the second already_decided',
      (line) => isDecided(line) && troupe.lines.filter(isDecided).length === 2,
    );
    troupe.send(reply({ type: 'x', request_id: 'ask_000000000000' }, { behavior: 'allow' }));
    await troupe.line('input_error', (line) => line['subtype'] === 'input_error');
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect(code).toBe(0);
    expect(await place.text('a.txt')).toBe('a');
    const told = {
      type: 'system',
      subtype: 'already_decided',
      request_id: ask['request_id'],
      status: 'already_decided',
      decided_by: 'stdio',
      uuid: expect.any(String),
      session_id: expect.any(String),
    };
    expect(lines.filter(isDecided)).toEqual([told, told]);
    expect(results(api.requests[1])[0]?.is_error).toBeUndefined();
  });

  it('stays open if the answer cannot be used', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ tools: [write(place.at('a.txt'), 'a')] }, { text: 'Done.' }],
    });
    const troupe = place.start(ASKS, { api, input: 'open' });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('a.txt'));
    troupe.send(reply(ask, { behaviour: 'allow' }));
    const told = await troupe.line('input_error', (line) => line['subtype'] === 'input_error');
    expect(told['message']).toContain('response.response.behavior');
    const setMode = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' };
    troupe.send(reply(ask, { behavior: 'allow', updatedPermissions: [setMode] }));
    await troupe.line('the second input_error', (line) =>
      /request stays open.*bypassPermissions.*not available/.test(String(line['message'])),
    );
    expect(place.has('a.txt')).toBe(false);
    troupe.send(reply(ask, { behavior: 'allow' }));
    troupe.endInput();
    await troupe.ended;
    expect(await place.text('a.txt')).toBe('a');
  });

  it('is judged again when its input is edited: a deny rule holds', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ tools: [bash('touch a.txt')] }, { text: 'Done.' }] });
    const troupe = place.start([...ASKS, '--disallowedTools', 'Bash(rm *)'], {
      api,
      input: 'open',
    });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('touch a.txt'));
    troupe.send(reply(ask, { behavior: 'allow', updatedInput: { command: 'rm -f b.txt' } }));
    troupe.endInput();
    await troupe.ended;
    expect(textOf(results(api.requests[1])[0]?.content)).toContain('Bash(rm *)');
  });

  it('reaches the client from three agents down before a sibling has ended its command', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('sibling'), agent('one')] }, { text: 'Done.' }],
        sibling: [{ tools: [bash('sleep 2')] }, { text: 'Slept.' }],
        one: [{ tools: [agent('two')] }, { text: 'One.' }],
        two: [{ tools: [agent('three')] }, { text: 'Two.' }],
        three: [{ tools: [write(place.at('a.txt'), 'a')] }, { text: 'Three.' }],
      }),
    });
    const troupe = place.start([...ASKS, '--allowedTools', 'Bash(sleep *)'], {
      api,
      input: 'open',
    });
    troupe.send(say('go'));
    const ask = await troupe.line('the ask', isAskFor('a.txt'));
    const isSleepResult = (line: Line): boolean =>
      line.type === 'user' && JSON.stringify(line['message']).includes('(no output)');
    expect(troupe.lines.some(isSleepResult)).toBe(false);
    troupe.send(reply(ask, { behavior: 'allow' }));
    troupe.endInput();
    const { code, lines } = await troupe.ended;
    expect(code).toBe(0);
    expect(lines.some(isSleepResult)).toBe(true);
    const deepest = lines.filter((line) => line['subtype'] === 'task_started').at(-1);
    expect(deepest).toMatchObject({ spawn_depth: 3 });
    expect((ask['request'] as { agent_id?: string }).agent_id).toBe(deepest?.['task_id']);
    expect(requestsOf(api, 'three')).toHaveLength(2);
  });
});
