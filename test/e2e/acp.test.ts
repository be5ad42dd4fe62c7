import {
  methods,
  RequestError,
  type LoadSessionRequest,
  type PromptRequest,
} from '@agentclientprotocol/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectAcp, type AcpClient, type AcpClientOptions } from './support/acp-client.js';
import { agent, answer, bash, newestBlocks, write } from './support/answers.js';
import { countProcesses, uniqueSeconds } from '../processes/processes.js';
import { createPlace, type Place } from './support/place.js';
import { PATIENCE_MS } from './support/troupe-process.js';

const { session } = methods.agent;

const SOON = { timeout: PATIENCE_MS };

describe('an editor', () => {
  const ends: (() => unknown)[] = [];
  const replies: Record<string, Parameters<typeof answer>[0][string]> = {};
  let place: Place;
  let api: Awaited<ReturnType<Place['api']>>;
  let editor: AcpClient;
  let decide: NonNullable<AcpClientOptions['decide']> = () => ({
    outcome: 'selected',
    optionId: 'allow',
  });

  /** Sends a prompt, which the replies answer, to a new session. */
  async function ask(text: string, said: (typeof replies)[string]) {
    replies[text] = said;
    const id = await editor.open(place.cwd);
    return { id, stopReason: await editor.prompt(id, text) };
  }
  const kinds = (id: string): string[] => editor.updates(id).map((one) => one.sessionUpdate);
  const text = (id: string, kind = 'agent_message_chunk'): string =>
    editor
      .updates(id)
      .flatMap((one) =>
        one.sessionUpdate === kind && 'content' in one && 'text' in Object(one.content)
          ? [String((one.content as { text: string }).text)]
          : [],
      )
      .join('');

  beforeAll(async () => {
    place = await createPlace((end) => void ends.push(end as () => unknown));
    await place.write({
      '.claude/commands/greet.md':
        '---\ndescription: greets\nargument-hint: "[NAME]"\n---\nGreet $1.',
    });
    api = await place.api({ handler: answer(replies) });
    const troupe = place.start(['acp'], { api, input: 'open' });
    editor = await connectAcp(troupe, { decide: (request) => decide(request) });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it('gets the capabilities of Troupe, in the version of the protocol that both know', () => {
    expect(editor.initialized).toEqual({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { additionalDirectories: {}, close: {}, list: {}, resume: {} },
      },
      agentInfo: { name: 'troupe', title: 'Troupe', version: expect.any(String) },
      authMethods: [],
    });
  });

  it('gets thoughts and words as they arrive, then usage and title', async () => {
    const { id, stopReason } = await ask('hello', [{ thinking: 'Who is it?', text: 'Hello.' }]);
    expect([stopReason, text(id, 'agent_thought_chunk'), text(id)]).toEqual([
      'end_turn',
      'Who is it?',
      'Hello.',
    ]);
    expect(await editor.update(id, 'session_info_update')).toMatchObject({ title: 'hello' });
    expect(await editor.update(id, 'usage_update')).toMatchObject({
      size: 1_000_000,
      cost: { currency: 'USD' },
    });
    expect(kinds(id)).not.toContain('user_message_chunk');
  });

  it('approves a change that it sees whole, and the call goes from pending to completed', async () => {
    const { id } = await ask('write a file', [
      { tools: [write(place.at('a.txt'), 'one\n')] },
      { text: 'Done.' },
    ]);
    const asked = editor.asked.find(({ sessionId }) => sessionId === id);
    expect(asked?.toolCall).toMatchObject({
      kind: 'edit',
      rawInput: { file_path: place.at('a.txt'), content: 'one\n' },
      locations: [{ path: place.at('a.txt') }],
      content: [
        { type: 'diff', path: place.at('a.txt'), oldText: null, newText: 'one\n' },
        { type: 'content' },
        { type: 'content' },
      ],
    });
    expect(asked?.options.map(({ kind, name }) => [kind, name])).toEqual([
      ['allow_once', 'Allow once'],
      ['allow_always', `Allow in this session: Edit(/${place.at('a.txt')})`],
      ['allow_always', 'Allow in this session: all edits in the workspace (mode acceptEdits)'],
      ['reject_once', 'Reject'],
    ]);
    const calls = editor
      .updates(id)
      .flatMap((one) => ('toolCallId' in one ? [[one.sessionUpdate, one.status]] : []));
    expect(calls).toEqual([
      ['tool_call', 'pending'],
      ['tool_call_update', 'in_progress'],
      ['tool_call_update', 'completed'],
    ]);
    expect(await place.text('a.txt')).toBe('one\n');
  });

  it('cancels while its person decides: the request ends as cancelled, and nothing is written', async () => {
    replies['write b'] = [{ tools: [write(place.at('b.txt'), 'b')] }, { text: 'Done.' }];
    const id = await editor.open(place.cwd);
    decide = async ({ sessionId }) => {
      await editor.agent.notify(session.cancel, { sessionId });
      return { outcome: 'cancelled' };
    };
    expect(await editor.prompt(id, 'write b')).toBe('cancelled');
    decide = () => ({ outcome: 'selected', optionId: 'allow' });
    expect(place.has('b.txt')).toBe(false);
    expect(await editor.prompt(id, 'and now?')).toBe('end_turn');
  });

  it('cancels a command, whose process ends', async () => {
    const seconds = uniqueSeconds();
    replies['sleep'] = [{ tools: [bash(`touch begun; sleep ${seconds}`)] }, { text: 'Slept.' }];
    const id = await editor.open(place.cwd);
    const ended = editor.prompt(id, 'sleep');
    await vi.waitFor(() => expect(place.has('begun')).toBe(true), SOON);
    await editor.agent.notify(session.cancel, { sessionId: id });
    expect(await ended).toBe('cancelled');
    await vi.waitFor(() => expect(countProcesses(`sleep ${seconds}`)).toBe(0), SOON);
  });

  it('gets the whole conversation again when it loads a session, and resumes it', async () => {
    const { id } = await ask('remember me', [
      { tools: [{ name: 'TodoWrite', input: { todos: [TODO] } }] },
      { text: 'I do.' },
      { text: 'Still here.' },
    ]);
    await editor.agent.request(session.close, { sessionId: id });
    const seen = editor.updates(id).length;
    const params: LoadSessionRequest = { sessionId: id, cwd: place.cwd, mcpServers: [] };
    const loaded = await editor.agent.request(session.load, params);
    expect(loaded.modes?.currentModeId).toBe('default');
    const replayed = editor.updates(id).slice(seen);
    expect(replayed).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'remember me' } },
      { sessionUpdate: 'tool_call', name: 'TodoWrite', status: 'pending' },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
      { sessionUpdate: 'plan', entries: [{ content: 'Test it', status: 'pending' }] },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I do.' } },
    ]);
    expect(await editor.prompt(id, 'are you there?')).toBe('end_turn');
    expect(text(id)).toContain('Still here.');
    const { sessions } = await editor.agent.request(session.list, { cwd: place.cwd });
    expect(sessions.find(({ sessionId }) => sessionId === id)).toEqual({
      sessionId: id,
      cwd: place.cwd,
      title: 'remember me',
      updatedAt: expect.any(String),
    });
  });

  it('changes the mode, the model and the effort', async () => {
    replies['with less'] = [{ text: 'Well.' }];
    const id = await editor.open(place.cwd);
    await editor.agent.request(session.setMode, { sessionId: id, modeId: 'acceptEdits' });
    await editor.agent.request(session.setConfigOption, {
      sessionId: id,
      configId: 'model',
      value: 'haiku',
    });
    const { configOptions } = await editor.agent.request(session.setConfigOption, {
      sessionId: id,
      configId: 'effort',
      value: 'low',
    });
    expect(configOptions.map((one) => [one.id, one.category, one.currentValue])).toEqual([
      ['mode', 'mode', 'acceptEdits'],
      ['model', 'model', 'haiku'],
      ['effort', 'thought_level', 'low'],
    ]);
    for (const one of configOptions) {
      const values =
        'options' in one
          ? one.options.map((choice) => ('value' in choice ? choice.value : choice.group))
          : [];
      expect(new Set(values).size).toBe(values.length);
    }
    await editor.prompt(id, 'with less');
    expect(api.requests.at(-1)?.body.model).toContain('haiku');
    const bypass = { sessionId: id, modeId: 'bypassPermissions' };
    await expect(editor.agent.request(session.setMode, bypass)).rejects.toThrow(
      /There is no mode "bypassPermissions" in this session/,
    );
  });

  it('sends a command of a file, which the session has announced', async () => {
    replies['Greet Ada.'] = [{ text: 'Hello Ada.' }];
    const id = await editor.open(place.cwd);
    const { availableCommands } = await editor.update(id, 'available_commands_update');
    const hints = availableCommands.map(({ name, input }) => [name, input?.hint]);
    expect(hints).toEqual(
      expect.arrayContaining([
        ['compact', '[INSTRUCTIONS]'],
        ['cost', undefined],
        ['greet', '[NAME]'],
      ]),
    );
    await editor.prompt(id, '/hooks');
    expect(text(id)).toBe('There are no hooks.');
    await expect(editor.prompt(id, '/gret Ada')).rejects.toThrow(/Did you mean \/greet/);
  });

  it('sees the calls of a sub-agent under its name', async () => {
    replies['look below'] = [{ text: 'Nothing.' }];
    replies['delegate'] = [{ tools: [agent('write below')] }, { text: 'Reported.' }];
    replies['write below'] = [{ tools: [bash('touch below.txt')] }, { text: 'Written.' }];
    const { id } = await ask('delegate', replies['delegate']);
    const asked = editor.asked.find(({ sessionId }) => sessionId === id);
    expect(asked?.toolCall.title).toBe('[write below] touch below.txt');
    const titles = editor
      .updates(id)
      .flatMap((one) => (one.sessionUpdate === 'tool_call' ? [one.title] : []));
    expect(titles).toEqual(['Agent `write below`', '[write below] touch below.txt']);
    expect(text(id)).toBe('Reported.');
  });

  it('sends images, resources and links', async () => {
    const id = await editor.open(place.cwd);
    const uri = `file://${place.at('a.ts')}`;
    const link = `[@a.ts](${place.at('a.ts')})`;
    const context = `\n<context ref="${place.at('a.ts')}">\nconst a = 1;\n</context>`;
    const prompt: PromptRequest['prompt'] = [
      { type: 'text', text: 'see ' },
      { type: 'resource_link', name: 'a.ts', uri },
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'resource', resource: { uri, text: 'const a = 1;' } },
    ];
    replies[['see ', link, '', link, context].join('\n')] = [{ text: 'Seen.' }];
    await editor.agent.request(session.prompt, { sessionId: id, prompt });
    expect(newestBlocks(api.requests.at(-1))).toMatchObject([
      { type: 'text', text: 'see ' },
      { type: 'text', text: link },
      { type: 'image', source: { media_type: 'image/png', data: PNG } },
      { type: 'text', text: link },
      { type: 'text', text: context },
    ]);
  });

  it('sends a prompt during a turn: the agent reads it at its next step, and both prompts end', async () => {
    const id = await editor.open(place.cwd);
    decide = async () => {
      second = editor.prompt(id, 'be quick');
      return { outcome: 'selected', optionId: 'allow' };
    };
    let second: Promise<string> | undefined;
    replies['work'] = [{ tools: [bash('touch worked.txt')] }, { text: 'Done.' }];
    expect([await editor.prompt(id, 'work'), await second]).toEqual(['end_turn', 'end_turn']);
    decide = () => ({ outcome: 'selected', optionId: 'allow' });
  });

  it('gets an error for a session that is not open, and for a folder that is not absolute', async () => {
    const unknown = { sessionId: 'nobody', prompt: [{ type: 'text' as const, text: 'hi' }] };
    await expect(editor.agent.request(session.prompt, unknown)).rejects.toEqual(
      RequestError.sessionNotFound('nobody'),
    );
    await expect(editor.open('work')).rejects.toThrow('work is not an absolute path.');
  });

  it('gets only messages that the published schema of the protocol allows', () => {
    expect(editor.problems).toEqual([]);
  });
});

const TODO = { content: 'Test it', activeForm: 'Testing it', status: 'pending' };
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
