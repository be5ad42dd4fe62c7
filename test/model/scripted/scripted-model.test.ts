import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, ToolUseBlock } from '../../../src/core/messages.js';
import { createAssembler } from '../../../src/model/stream/assemble.js';
import { classifyModelError } from '../../../src/model/errors/model-error.js';
import type { Model, ModelRequest } from '../../../src/model/model.js';
import {
  createScriptedModel,
  type ScriptFunction,
} from '../../../src/model/scripted/scripted-model.js';
import type { Script, ScriptStep } from '../../../src/model/scripted/script.js';

const ORIGIN = { agentId: 'aworker-0123456789abcdef', agentType: 'worker' };

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function result(use: ToolUseBlock, content: string, is_error?: boolean): Message {
  const block = { type: 'tool_result', tool_use_id: use.id, content } as const;
  return { role: 'user', content: [is_error === undefined ? block : { ...block, is_error }] };
}

function requestOf(
  messages: readonly Message[],
  origin: ModelRequest['origin'] = ORIGIN,
): ModelRequest {
  return { model: 'scripted', maxTokens: 100, system: [], tools: [], messages, origin };
}

async function answer(model: Model, request: ModelRequest): Promise<AssistantMessage> {
  const assembler = createAssembler();
  const { signal } = new AbortController();
  for await (const event of await model.stream(request, { signal })) assembler.push(event);
  expect(assembler.isComplete()).toBe(true);
  return assembler.message();
}

/** The replies of the model, as text, to each of the incoming messages. */
async function talk(model: Model, incoming: readonly Message[]): Promise<readonly string[]> {
  const messages: Message[] = [];
  const said: string[] = [];
  for (const message of incoming) {
    messages.push(message);
    const reply = await answer(model, requestOf(messages));
    messages.push(reply);
    said.push(reply.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  }
  return said;
}

function scriptOf(...steps: readonly ScriptStep[]): Script {
  return { version: 1, agents: [{ steps }] };
}

describe('createScriptedModel with a script', () => {
  it('takes steps from the top, each once', async () => {
    const model = createScriptedModel(scriptOf({ text: 'one' }, { text: 'two' }));
    expect(await talk(model, [user('a'), user('b')])).toEqual(['one', 'two']);
  });

  it('passes over a step that does not fit yet, and takes it when it does', async () => {
    const model = createScriptedModel(
      scriptOf({ when: { user: 'stop' }, text: 'stopping' }, { text: 'one' }, { text: 'two' }),
    );
    const said = await talk(model, [user('go'), user('please stop'), user('stop')]);
    expect(said).toEqual(['one', 'stopping', 'two']);
  });

  it('takes a repeated step as often as it fits', async () => {
    const model = createScriptedModel(
      scriptOf({ when: { user: 'end' }, text: 'bye' }, { text: 'waiting', repeat: true }),
    );
    const said = await talk(model, [user('a'), user('b'), user('end'), user('c')]);
    expect(said).toEqual(['waiting', 'waiting', 'bye', 'waiting']);
  });

  it('continues at the same place in another process', async () => {
    const script = scriptOf({ text: 'one' }, { text: 'two' });
    const first = await answer(createScriptedModel(script), requestOf([user('a')]));
    const messages = [user('a'), first, user('b')];
    const second = await answer(createScriptedModel(script), requestOf(messages));
    expect(second.content).toEqual([{ type: 'text', text: 'two' }]);
  });

  it('answers the same request with the same events', async () => {
    const model = createScriptedModel(scriptOf({ tools: [{ name: 'Read' }] }));
    const first = await answer(model, requestOf([user('a')]));
    expect(await answer(model, requestOf([user('a')]))).toEqual(first);
  });

  it('reacts to a tool result by tool, text and failure', async () => {
    const script = scriptOf(
      { tools: [{ name: 'Bash', input: { command: 'npm test' } }] },
      { when: { tool: 'Bash', isError: true }, text: 'it failed' },
      { when: { toolResult: '(?<count>\\d+) passed', isError: false }, text: '${count} are fine' },
    );
    const model = createScriptedModel(script);
    const first = await answer(model, requestOf([user('go')]));
    const [use] = first.content;
    if (use?.type !== 'tool_use') throw new Error('no tool use');
    const after = (message: Message) => requestOf([user('go'), first, message]);
    expect((await answer(model, after(result(use, 'boom', true)))).content).toEqual([
      { type: 'text', text: 'it failed' },
    ]);
    expect((await answer(model, after(result(use, '12 passed')))).content).toEqual([
      { type: 'text', text: '12 are fine' },
    ]);
    await expect(answer(model, after(result(use, 'nothing')))).rejects.toThrow(/2, 3 of 3/);
  });

  it('waits until everything was seen, in whatever order and message', async () => {
    const model = createScriptedModel(
      scriptOf(
        { when: { seen: ['alpha is done', 'beta is done'] }, text: 'all done' },
        { text: 'waiting', repeat: true },
      ),
    );
    const said = await talk(model, [user('go'), user('beta is done'), user('alpha is done')]);
    expect(said).toEqual(['waiting', 'waiting', 'all done']);
  });

  it('keeps captured values for later steps, beside the variables of the caller', async () => {
    const model = createScriptedModel(
      scriptOf(
        { when: { user: 'task (?<id>\\w+)' }, text: 'noted' },
        { tools: [{ name: 'Kill', input: { ids: ['${id}'], at: '${cwd}', shell: '$${HOME}' } }] },
      ),
      { variables: { cwd: '/repo' } },
    );
    const first = await answer(model, requestOf([user('task t1')]));
    const second = await answer(model, requestOf([user('task t1'), first, user('go')]));
    expect(second.content).toMatchObject([
      { name: 'Kill', input: { ids: ['t1'], at: '/repo', shell: '${HOME}' } },
    ]);
  });

  it('says which value is missing', async () => {
    const model = createScriptedModel(scriptOf({ text: 'kill ${id}' }), {
      variables: { cwd: '/' },
    });
    await expect(answer(model, requestOf([user('go')]))).rejects.toThrow(
      expect.objectContaining({
        code: 'SCRIPT_VARIABLE',
        message: expect.stringMatching(/\$\{id\}.*cwd/),
      }),
    );
  });

  it('chooses the role by type, name and first message', async () => {
    const model = createScriptedModel({
      version: 1,
      agents: [
        { agent: 'worker', prompt: 'module b', steps: [{ text: 'b' }] },
        { agent: 'worker', name: 'ann', steps: [{ text: 'ann' }] },
        { steps: [{ text: 'anybody' }] },
      ],
    });
    const say = async (text: string, origin: ModelRequest['origin']) =>
      (await answer(model, requestOf([user(text)], origin))).content;
    expect(await say('fix module b', ORIGIN)).toEqual([{ type: 'text', text: 'b' }]);
    expect(await say('fix', { ...ORIGIN, name: 'ann' })).toEqual([{ type: 'text', text: 'ann' }]);
    expect(await say('fix', ORIGIN)).toEqual([{ type: 'text', text: 'anybody' }]);
  });

  it('gives every tool use its own ID', async () => {
    const twice = { tools: [{ name: 'Read' }, { name: 'Read' }] };
    const model = createScriptedModel({ version: 1, agents: [{ steps: [twice, twice] }] });
    const first = await answer(model, requestOf([user('go')]));
    const second = await answer(model, requestOf([user('go'), first, user('on')]));
    const other = await answer(
      model,
      requestOf([user('go')], { ...ORIGIN, agentId: 'aworker-ffffffffffffffff' }),
    );
    const ids = [first, second, other].flatMap(({ content }) =>
      content.map((block) => (block.type === 'tool_use' ? block.id : '')),
    );
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^toolu_[a-zA-Z0-9_-]+$/);
  });

  it('ends fatally if no step is left, and says what came in', async () => {
    const model = createScriptedModel(scriptOf({ text: 'one' }));
    const error: unknown = await talk(model, [user('a'), user('and now?')]).catch(
      (reason: unknown) => reason,
    );
    expect(classifyModelError(error)).toEqual({
      kind: 'fatal',
      code: 'SCRIPT_EXHAUSTED',
      message:
        'The script has no answer to "and now?" for agent "worker" (aworker-0123456789abcdef): ' +
        'all of its 1 steps are used up.',
    });
  });

  it('names the entries if none fits the agent', async () => {
    const model = createScriptedModel({
      version: 1,
      agents: [{ agent: 'coordinator', steps: [{ text: 'x' }] }],
    });
    await expect(answer(model, requestOf([user('a')]))).rejects.toThrow(
      /no entry for agent "worker".*\{"agent":"coordinator"\}/,
    );
  });

  it('waits as the script says, by the clock that it is given', async () => {
    const waits: number[] = [];
    const step = { text: 'abcde', delayMs: 50, chunk: { chars: 2, delayMs: 5 } };
    const model = createScriptedModel(scriptOf(step), {
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    expect(await talk(model, [user('a')])).toEqual(['abcde']);
    expect(waits).toEqual([50, 5, 5, 5]);
  });

  it('stops waiting when the signal is aborted', async () => {
    const model = createScriptedModel(scriptOf({ text: 'late', delayMs: 3_600_000 }));
    const controller = new AbortController();
    const stream = await model.stream(requestOf([user('a')]), { signal: controller.signal });
    const next = stream[Symbol.asyncIterator]().next();
    controller.abort();
    const error: unknown = await next.catch((reason: unknown) => reason);
    expect(classifyModelError(error).kind).toBe('abort');
  });

  it('counts what was sent before as read from the cache', async () => {
    const model = createScriptedModel(scriptOf({ text: 'x'.repeat(40) }, { text: 'y' }));
    const usageOf = async (messages: readonly Message[]) => {
      const assembler = createAssembler();
      const { signal } = new AbortController();
      for await (const event of await model.stream(requestOf(messages), { signal })) {
        assembler.push(event);
      }
      return { usage: assembler.usage(), message: assembler.message() };
    };
    const first = await usageOf([user('a'.repeat(400))]);
    const second = await usageOf([user('a'.repeat(400)), first.message, user('b'.repeat(80))]);
    expect([first.usage, second.usage]).toEqual([
      {
        input_tokens: 100,
        output_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      {
        input_tokens: 20,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 110,
      },
    ]);
  });
});

describe('createScriptedModel with a function', () => {
  it('answers with what the function returns', async () => {
    const model = createScriptedModel(async ({ messages }) => ({
      thinking: 'Hm.',
      text: `message ${messages.length}`,
      stopReason: 'max_tokens',
    }));
    const { content } = await answer(model, requestOf([user('a')]));
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'message 1' },
    ]);
  });

  it('refuses what is no reply', async () => {
    // A program without types can return anything.
    const model = createScriptedModel((() => ({ txt: 'hi' })) as unknown as ScriptFunction);
    await expect(answer(model, requestOf([user('a')]))).rejects.toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message:
          'The scripted model\'s function returned an invalid reply: the reply: there is no field "txt". Did you mean text?',
      }),
    );
  });

  it('rejects with what the function throws', async () => {
    const model = createScriptedModel(() => {
      throw new RangeError('no idea');
    });
    await expect(answer(model, requestOf([user('a')]))).rejects.toThrow(new RangeError('no idea'));
  });
});
