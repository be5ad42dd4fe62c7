import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { bash, results } from './support/answers.js';
import { createPlace } from './support/place.js';

const SERVER = fileURLToPath(new URL('../support/mcp/judge-server.mjs', import.meta.url));
const TOOL = ['--permission-prompt-tool', 'mcp__judge__approve'];

/** A place with a server that gives this answer, and an agent that wants to run one command. */
async function createJudged(
  onTestFinished: TestContext['onTestFinished'],
  answer: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  const place = await createPlace(onTestFinished);
  await place.write({ '../answer': answer });
  const env = { ANSWER: place.at('../answer'), TRACE: place.at('../trace') };
  const judge = { command: process.execPath, args: [SERVER], env, ...more };
  const servers = ['--mcp-config', JSON.stringify({ mcpServers: { judge } })];
  const api = await place.api({ replies: [{ tools: [bash('touch made')] }, { text: 'ok' }] });
  return { place, servers, api, asked: () => readFileSync(place.at('../trace'), 'utf8') };
}

describe.concurrent('--permission-prompt-tool mcp__server__tool', () => {
  it('lets run what the tool allows, and does not offer the tool to the model', async ({
    onTestFinished,
  }) => {
    const { place, servers, api, asked } = await createJudged(
      onTestFinished,
      '{"behavior":"allow"}',
    );
    const run = ['-p', 'go', ...servers, ...TOOL];
    expect(await place.call(run, { api })).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(place.has('made')).toBe(true);
    expect(JSON.parse(asked())).toEqual({
      tool_name: 'Bash',
      input: expect.objectContaining({ command: 'touch made' }),
      tool_use_id: expect.any(String),
    });
    const { tools = [] } = (api.requests[0]?.body ?? {}) as { tools?: readonly { name: string }[] };
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));
    expect(names).toEqual(['mcp__judge__other']);
  });

  it('runs the input that the tool has changed', async ({ onTestFinished }) => {
    const { place, servers, api } = await createJudged(
      onTestFinished,
      '{"behavior":"allow","updatedInput":{"command":"touch changed"}}',
    );
    await place.call(['-p', 'go', ...servers, ...TOOL], { api });
    expect(await place.files()).toEqual(['changed']);
  });

  it('tells the model why it was refused', async ({ onTestFinished }) => {
    const { place, servers, api } = await createJudged(
      onTestFinished,
      '{"behavior":"deny","message":"not on Sundays"}',
    );
    await place.call(['-p', 'go', ...servers, ...TOOL], { api });
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({
        is_error: true,
        content: expect.stringContaining('not on Sundays'),
      }),
    ]);
    expect(place.has('made')).toBe(false);
  });

  it.each([
    ['certainly', 'Its answer is not JSON: "certainly". It must be {"behavior":"allow"'],
    [
      '{"behavior":"alow"}',
      'Its answer cannot be used: "behavior" must be one of "allow", "deny", not the string "alow". Did you mean "allow"?',
    ],
    [
      '{"behavior":"allow","updatedInput":7}',
      'Its answer cannot be used: "updatedInput" must be an object, not the number 7.',
    ],
  ])('refuses what it answers with %j', async (answer, message) => {
    const cleanups: (() => unknown)[] = [];
    const later = ((cleanup: () => unknown) => void cleanups.push(cleanup)) as never; // the same, called below
    const { place, servers, api } = await createJudged(later, answer);
    await place.call(['-p', 'go', ...servers, ...TOOL], { api });
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({ is_error: true, content: expect.stringContaining(message) }),
    ]);
    expect(place.has('made')).toBe(false);
    for (const cleanup of cleanups) await cleanup();
  });

  it('refuses when the tool does not answer within the time-out of its server', async ({
    onTestFinished,
  }) => {
    const { place, servers, api } = await createJudged(onTestFinished, 'silence', { timeout: 300 });
    await place.call(['-p', 'go', ...servers, ...TOOL], { api });
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({
        is_error: true,
        content: expect.stringContaining('gave no answer to approve within 0.3 s'),
      }),
    ]);
  });

  it('withdraws its call when the session is ended', async ({ onTestFinished, expect: poll }) => {
    const { place, servers, api, asked } = await createJudged(onTestFinished, 'silence');
    const stream = ['--output-format', 'stream-json', '--verbose'];
    const troupe = place.start(['-p', 'go', ...servers, ...TOOL, ...stream], { api });
    await troupe.line('the tool use', ({ type }) => type === 'assistant');
    await poll.poll(() => place.has('../trace') && asked().includes('Bash')).toBe(true);
    troupe.kill('SIGTERM');
    expect(await troupe.ended).toMatchObject({ code: 143 });
  });

  it('names the tools that there are before anything is asked', async ({ onTestFinished }) => {
    const { place, servers, api } = await createJudged(onTestFinished, '');
    const wrong = ['--permission-prompt-tool', 'mcp__judge__aprove'];
    expect(await place.call(['-p', 'go', ...servers, ...wrong], { api })).toMatchObject({
      code: 2,
      stderr:
        'troupe: There is no tool "mcp__judge__aprove" to decide permission requests. Tools of the connected MCP servers: mcp__judge__approve, mcp__judge__other.\n',
    });
    expect(api.requests).toEqual([]);
    const none = await place.call(['-p', 'go', ...TOOL], { api });
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('connected MCP servers: none.'),
    });
  });
});
