import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, type TestContext } from 'vitest';
import type { FakeMessagesApiOptions } from '../../src/testing/fake-messages-api.js';
import { bash, results, write } from '../e2e/support/answers.js';
import { createPlace } from '../e2e/support/place.js';
import { COMMAND } from '../e2e/support/troupe-process.js';
import { environment, PUBLISHED } from './support.js';

const ADAPTER = join(PUBLISHED, '@agentclientprotocol/claude-agent-acp/dist/index.js');
const DONE = { text: 'Done.' };
const STALLED = { text: 'Never said.', fault: { afterEvents: 1, kind: 'stall' } } as const;

type Fields = Readonly<Record<string, unknown>>;
type Line = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: Fields;
};

/** An editor: the adapter that Zed uses for Claude Code as its agent, which drives the built command. */
async function createEditor(
  onTestFinished: TestContext['onTestFinished'],
  answers: FakeMessagesApiOptions,
) {
  const place = await createPlace(onTestFinished);
  const api = await place.api(answers);
  const child = spawn(process.execPath, [ADAPTER], {
    cwd: place.cwd,
    env: { ...environment(place, api), CLAUDE_CODE_EXECUTABLE: COMMAND },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const updates: Fields[] = [];
  const asked: Fields[] = [];
  const waiting = new Map<number, (line: Line) => void>();
  let choice = 'reject_once';
  let count = 0;
  const put = (line: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    if (line.method === 'session/update') updates.push(line.params?.['update'] as Fields);
    else if (line.method === 'session/request_permission') {
      asked.push(line.params?.['toolCall'] as Fields);
      const options = line.params?.['options'] as readonly { kind: string; optionId: string }[];
      const optionId = options.find(({ kind }) => kind === choice)?.optionId;
      put({ id: line.id, result: { outcome: { outcome: 'selected', optionId } } });
    } else if (line.id !== undefined) waiting.get(line.id)?.(line);
  });
  const ask = async (method: string, params: object): Promise<Fields> => {
    const id = (count += 1);
    put({ id, method, params });
    const { result, error } = await new Promise<Line>((resolve) => waiting.set(id, resolve));
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}\n${stderr}`);
    return result;
  };

  await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = await ask('session/new', { cwd: place.cwd, mcpServers: [] });
  const { sessionId } = session;
  return {
    api,
    place,
    session,
    /** The reports of the agent so far. */
    updates,
    /** Tool calls that the person was asked about. */
    asked,
    choose: (kind: 'allow_once' | 'allow_always'): void => void (choice = kind),
    say: (text: string) => ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    setMode: (modeId: string) => ask('session/set_mode', { sessionId, modeId }),
    setModel: (value: string) =>
      ask('session/set_config_option', { sessionId, configId: 'model', value }),
    cancel: () => put({ method: 'session/cancel', params: { sessionId } }),
    said: () =>
      updates
        .filter((update) => update['sessionUpdate'] === 'agent_message_chunk')
        .map((update) => (update['content'] as Fields)['text'])
        .join(''),
  };
}

describe.concurrent("Zed's adapter", () => {
  it('offers the models and modes, and answers prompts one after another', async ({
    onTestFinished,
  }) => {
    const { api, say, said, session } = await createEditor(onTestFinished, {
      replies: [{ text: 'One. ' }, { text: 'Two.' }],
    });
    expect(session).toMatchObject({
      configOptions: expect.arrayContaining([
        expect.objectContaining({
          id: 'model',
          options: expect.arrayContaining([expect.objectContaining({ value: 'opus' })]),
        }),
      ]),
      modes: { currentModeId: 'default' },
    });
    expect(await say('first')).toMatchObject({ stopReason: 'end_turn' });
    expect(await say('second')).toMatchObject({ stopReason: 'end_turn' });
    expect(said()).toBe('One. Two.');
    expect(api.requests[1]?.body.messages).toHaveLength(3);
  });

  it('asks before a command runs, once or for all that is like it', async ({ onTestFinished }) => {
    const { api, asked, choose, place, say } = await createEditor(onTestFinished, {
      replies: [
        { tools: [bash('touch one')] },
        DONE,
        { tools: [bash('touch two')] },
        DONE,
        { tools: [write('three', '3')] },
        { tools: [write('four', '4')] },
        DONE,
      ],
    });
    await say('first');
    expect(results(api.requests[1])[0]).toMatchObject({ is_error: true });
    expect(place.has('one')).toBe(false);
    choose('allow_once');
    await say('second');
    expect(place.has('two')).toBe(true);
    choose('allow_always');
    await say('third');
    expect(await place.files()).toEqual(['four', 'three', 'two']);
    expect(asked.map(({ rawInput }) => rawInput)).toEqual([
      { command: 'touch one' },
      { command: 'touch two' },
      { file_path: 'three', content: '3' },
    ]);
  });

  it('shows each tool call and how it ended', async ({ onTestFinished }) => {
    const { choose, say, updates } = await createEditor(onTestFinished, {
      replies: [{ tools: [bash('echo said')] }, DONE],
    });
    choose('allow_once');
    await say('go');
    const calls = updates.filter(({ toolCallId }) => toolCallId === 'toolu_fake_0_0');
    expect(calls[0]).toMatchObject({ sessionUpdate: 'tool_call', status: 'pending' });
    expect(calls.at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'completed' });
    expect(JSON.stringify(calls)).toContain('said');
  });

  it('changes the mode and the model', async ({ onTestFinished }) => {
    const { api, asked, place, say, setMode, setModel } = await createEditor(onTestFinished, {
      replies: [{ tools: [write('made', 'yes')] }, DONE],
    });
    await setMode('acceptEdits');
    await setModel('opus');
    await say('go');
    expect({ files: await place.files(), asked }).toEqual({ files: ['made'], asked: [] });
    expect(api.requests[0]?.body.model).toBe('claude-opus-5-5');
  });

  it('cancels a prompt, and takes the next one', async ({ onTestFinished }) => {
    const { api, cancel, said, say } = await createEditor(onTestFinished, {
      replies: [STALLED, DONE],
    });
    const first = say('first');
    await api.request(0);
    cancel();
    expect(await first).toMatchObject({ stopReason: 'cancelled' });
    expect(await say('second')).toMatchObject({ stopReason: 'end_turn' });
    expect(said()).toBe('Done.');
  });
});
