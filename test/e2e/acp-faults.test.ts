import { methods, type WriteTextFileRequest } from '@agentclientprotocol/sdk';
import { describe, expect, it, vi } from 'vitest';
import { countProcesses, uniqueSeconds } from '../processes/processes.js';
import { connectAcp } from './support/acp-client.js';
import { bash } from './support/answers.js';
import { createPlace } from './support/place.js';
import { PATIENCE_MS, type Line } from './support/troupe-process.js';

const { session } = methods.agent;

const SOON = { timeout: PATIENCE_MS };

describe.concurrent('a client of the protocol', () => {
  it('gets an error for each line that is no message, and for what needs a key if there is none', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const troupe = place.start(['acp'], { input: 'open' });
    const early = { jsonrpc: '2.0', id: 'early', method: 'session/list', params: {} };
    for (const line of ['garbage', '{"jsonrpc":"2.0",', '[]', '7', early]) troupe.send(line);
    await troupe.line('the response to the request', ({ id }) => id === 'early');
    expect(troupe.lines.map(codeOf)).toEqual([-32_700, -32_700, -32_600, -32_600, -32_600]);
    const editor = await connectAcp(troupe);
    const refusal = { code: -32_000, message: expect.stringContaining('ANTHROPIC_API_KEY') };
    await expect(editor.open(place.cwd)).rejects.toMatchObject(refusal);
    const login = editor.agent.request(methods.agent.authenticate, { methodId: 'key' });
    await expect(login).rejects.toMatchObject(refusal);
    troupe.endInput();
    const { code, stdout, stderr, lines } = await troupe.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(lines.length + 1);
  });

  it('learns why turns end, and when it ends itself, neither Troupe nor a command is left', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    const api = await place.api({
      replies: [
        ...Array.from({ length: 5 }, () => ({
          tools: [{ name: 'Glob', input: { pattern: '*' } }],
        })),
        { text: 'No.', stopReason: 'refusal' },
        ...Array.from({ length: 4 }, () => ({ text: 'And', stopReason: 'max_tokens' as const })),
        { status: 401, error: { type: 'authentication_error', message: 'invalid key' } },
        { tools: [bash(`touch begun; sleep ${seconds}`)] },
      ],
    });
    const args = ['acp', '--max-turns', '5', '--dangerously-skip-permissions'];
    const troupe = place.start(args, { api, input: 'open', env: { IS_SANDBOX: '1' } });
    const editor = await connectAcp(troupe);
    const id = await editor.open(place.cwd);
    expect(await editor.prompt(id, 'look')).toBe('max_turn_requests');
    expect(await editor.prompt(id, 'how?')).toBe('refusal');
    expect(await editor.prompt(id, 'all of it')).toBe('max_tokens');
    await expect(editor.prompt(id, 'again')).rejects.toMatchObject({ code: -32_000 });
    await editor.agent.request(session.close, { sessionId: id });
    await expect(editor.prompt(id, 'closed')).rejects.toMatchObject({ code: -32_002 });
    expect(editor.problems).toEqual([]);
    await Promise.all(Array.from({ length: 11 }, () => editor.open(place.cwd)));
    editor.prompt(await editor.open(place.cwd), 'sleep').catch(() => {}); // nobody is left to hear of it
    await vi.waitFor(() => expect(place.has('begun')).toBe(true), SOON);
    troupe.endInput();
    troupe.closeOutput();
    expect(await troupe.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(countProcesses(`sleep ${seconds}`)).toBe(0);
  });

  it('reads what is not saved, approves the change of that, and writes it itself', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'a.txt': 'one\n' });
    const path = place.at('a.txt');
    const edit = { file_path: path, old_string: 'typed', new_string: 'changed' };
    const api = await place.api({
      replies: [
        { tools: [{ name: 'Read', input: { file_path: path } }] },
        { tools: [{ name: 'Edit', input: edit }] },
        { text: 'Done.' },
      ],
    });
    const written: WriteTextFileRequest[] = [];
    const editor = await connectAcp(place.start(['acp'], { api, input: 'open' }), {
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      readFile: () => 'one\ntyped\n',
      writeFile: (request) => void written.push(request),
    });
    const id = await editor.open(place.cwd);
    expect(await editor.prompt(id, 'change it')).toBe('end_turn');
    expect(editor.asked.map(({ toolCall }) => toolCall.content?.[0])).toEqual([
      { type: 'diff', path, oldText: 'one\ntyped\n', newText: 'one\nchanged\n' },
    ]);
    expect(written).toEqual([{ sessionId: id, path, content: 'one\nchanged\n' }]);
    expect([await place.text('a.txt'), editor.problems]).toEqual(['one\n', []]);
  });

  it('brings servers and folders, and an untrusted folder brings none', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/settings.json': JSON.stringify({
        hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] },
      }),
      '.mcp.json': JSON.stringify({ mcpServers: { planted: { command: 'touch', args: ['mcp'] } } }),
    });
    const api = await place.api({ replies: [{ text: 'Hello.' }] });
    const editor = await connectAcp(place.start(['acp'], { api, input: 'open' }));
    const { sessionId } = await editor.agent.request(session.new, {
      cwd: place.cwd,
      additionalDirectories: [place.home],
      mcpServers: [
        { name: 'files', command: process.execPath, args: [SERVER, place.cwd], env: [] },
      ],
    });
    const told = await editor.update(sessionId, 'agent_message_chunk');
    expect(told.content).toMatchObject({
      text: expect.stringContaining('This folder is not trusted'),
    });
    await editor.prompt(sessionId, 'hello');
    expect(JSON.stringify(api.requests[0]?.body)).toContain('mcp__files__');
    expect([place.has('hooked'), place.has('mcp')]).toEqual([false, false]);
  });
});

const SERVER = new URL(
  '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
  import.meta.url,
).pathname;

function codeOf(line: Line): unknown {
  return (line['error'] as { code?: unknown } | undefined)?.code;
}
