import { readFileSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import type { Orchestrator } from '../../../src/actors/contract/orchestrator.js';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import { UsageError } from '../../../src/core/errors.js';
import { fixture, installed } from '../../support/mcp/servers.js';
import { callEach } from '../../support/mcp/call-each.js';
import type { ModelRequest } from '../../../src/model/model.js';
import {
  agentCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import { ALLOW_ALL, ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';
import { countProcesses, until } from '../../processes/processes.js';

async function messagesOf(session: SessionHandle): Promise<readonly SessionMessage[]> {
  const messages: SessionMessage[] = [];
  for await (const message of session) messages.push(message);
  return messages;
}

const initOf = (messages: readonly SessionMessage[]) => {
  const [init] = messages;
  if (init?.type !== 'system' || init.subtype !== 'init') throw new Error('init is not the first');
  return init;
};

const connectionOf = (troupe: Orchestrator, name: string) =>
  troupe.inspect().children.find(({ id }) => id === `mcp:${name}`);

const actorsOf = (actor: InspectedActor): readonly InspectedActor[] => [
  actor,
  ...actor.children.flatMap(actorsOf),
];

const pidsIn = (file: string): readonly number[] =>
  existsSync(file)
    ? [...readFileSync(file, 'utf8').matchAll(/started (\d+)/g)].map(([, pid]) => Number(pid))
    : [];

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`);

describe('servers from npm', { timeout: 30_000 }, () => {
  it('lend their tools, sorted behind the built-in ones, and answer', async () => {
    const { troupe, results, requests } = await callEach(
      [
        { name: 'mcp__everything__echo', input: { message: 'hello' } },
        { name: 'mcp__everything__get-sum', input: { a: 2, b: 3 } },
        { name: 'mcp__everything__get-sum', input: { a: 'two' } },
      ],
      { everything: installed('everything', ['stdio']) },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const messages = await messagesOf(session);
    expect(results.map(resultText)).toEqual([
      'Echo: hello',
      'The sum of 2 and 3 is 5.',
      expect.stringContaining('mcp__everything__get-sum: b is required'),
    ]);
    const names = requests[0]?.tools.map(({ name }) => name) ?? [];
    const own = names.filter((name) => name.startsWith('mcp__'));
    expect(names.slice(-own.length)).toEqual(own.toSorted());
    expect(requests.every(({ tools }) => tools === requests[0]?.tools)).toBe(true);
    const init = initOf(messages);
    expect(init.mcp_servers).toEqual([{ name: 'everything', status: 'connected' }]);
    expect(init.tools.filter((name) => name !== 'ToolSearch')).toEqual(names); // a scripted model has all tools at once
  });

  it('work on files', async () => {
    const world = await callEach([], {});
    const { troupe, results, at } = await callEach(
      [{ name: 'mcp__files__read_text_file', input: { path: `${world.cwd}/a.txt` } }],
      { files: installed('filesystem', [world.cwd]) },
      {
        permissions: {
          ...ALLOW_ALL,
          additionalWorkingDirectories: {
            [world.cwd]: { path: world.cwd, source: 'session' as const },
          },
        },
      },
    );
    const { writeFile } = await import('node:fs/promises');
    await writeFile(world.at('a.txt'), 'one\ntwo\n');
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual(['one\ntwo\n']);
    expect(existsSync(at('a.txt'))).toBe(false);
  });
});

describe('a session', { timeout: 30_000 }, () => {
  it('sees all pages of a list, and leaves out what the Messages API would refuse', async () => {
    const { troupe, requests } = await callEach(
      [],
      { big: fixture(['--tools', '500']) },
      { env: { ...process.env, ENABLE_TOOL_SEARCH: 'false' } },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const names = requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name.startsWith('mcp__big__tool_'))).toHaveLength(500);
    expect(names).not.toContain('mcp__big__fork');
    expect(readFileSync(`${session.directory}/mcp.jsonl`, 'utf8')).toContain(
      'its tool \\"fork\\": its input has anyOf at the top',
    );
  });

  it('continues without a server that fails, and says why', async () => {
    const { troupe, requests } = await callEach([], {
      good: fixture(),
      broken: fixture(['--broken']),
      absent: { command: 'no-such-program' },
      greeting: fixture(['--odd-greeting']),
      tools: fixture(['--odd-tools']),
    });
    const session = troupe.session({ prompt: 'Go.' });
    const problems: (string | undefined)[] = [];
    session.events.on('mcp.status', ({ status, problem }) => {
      if (status === 'failed') problems.push(problem);
    });
    const messages = await messagesOf(session);
    expect(initOf(messages).mcp_servers).toEqual([
      { name: 'good', status: 'connected' },
      { name: 'broken', status: 'failed' },
      { name: 'absent', status: 'failed' },
      { name: 'greeting', status: 'failed' },
      { name: 'tools', status: 'failed' },
    ]);
    expect(problems.toSorted()).toEqual([
      expect.stringContaining('"no-such-program" could not be started'),
      'it ended (exit code 3), and wrote: no database',
      'its answer to initialize is invalid: "protocolVersion", "capabilities", "serverInfo" is wrong or missing',
      'its answer to tools/list is invalid: "tools.0.inputSchema" must be an object, not the string "none"',
    ]);
    const servers = requests[0]?.tools.flatMap(
      ({ name }) => /^mcp__(\w+?)__/.exec(name)?.[1] ?? [],
    );
    expect([...new Set(servers)]).toEqual(['good']);
  });

  it('says how a server ended that stopped reading before its end', async () => {
    const script = `process.stdin.once('data', (data) => {
      process.stdin.destroy(); // the descriptor stays open
      fs.closeSync(0);
      console.error('no key');
      const serverInfo = { name: 'deaf', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(data).id, result }) + '\\n');
      setTimeout(() => process.exit(4), 100);
    });`;
    const { troupe } = await callEach([], {
      deaf: { command: process.execPath, args: ['-e', script] },
    });
    const session = troupe.session({ prompt: 'Go.' });
    const problems: (string | undefined)[] = [];
    session.events.on('mcp.status', ({ problem }) => {
      if (problem !== undefined) problems.push(problem);
    });
    await session.outcome;
    expect(problems).toEqual(['it ended (exit code 4), and wrote: no key']);
  });

  it('can be ended while it waits for a server', async () => {
    const { troupe, requests } = await callEach([], { mute: fixture(['--mute']) });
    const session = troupe.session({ prompt: 'Go.' });
    expect(connectionOf(troupe, 'mute')?.waitingFor).toEqual(['the first answer of the server']);
    expect(await session.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    await troupe.close();
    expect(requests).toEqual([]);
  });

  it('sends the first request without a server that takes longer than the wait', async () => {
    const env = { ...process.env, CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '1' };
    const { troupe, requests } = await callEach([], { mute: fixture(['--mute']) }, { env });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(requests[0]?.tools.filter(({ name }) => name.startsWith('mcp__'))).toEqual([]);
  });

  it('asks before a tool runs, whatever the server says of it, and rules name servers', async () => {
    const { troupe, results } = await callEach(
      [
        { name: 'mcp__asked__echo', input: { text: 'a' } },
        { name: 'mcp__allowed__echo', input: { text: 'b' } },
      ],
      { asked: fixture(), allowed: fixture(), denied: fixture() },
      {
        permissions: {
          ...ASK_FIRST,
          alwaysAllowRules: { session: ['mcp__allowed'] },
          alwaysDenyRules: { session: ['mcp__denied'] },
        },
      },
    );
    const asked: string[] = [];
    troupe.approvals.onRequest(async ({ toolName }) => {
      asked.push(toolName);
      return { behavior: 'deny', message: 'not now' };
    });
    const messages = await messagesOf(troupe.session({ prompt: 'Go.' }));
    expect(asked).toEqual(['mcp__asked__echo']);
    expect(results.map(resultText)).toEqual([expect.stringContaining('not now'), 'b']);
    expect(initOf(messages).tools.filter((name) => name.startsWith('mcp__denied'))).toEqual([]);
  });

  it('shares the servers of its orchestrator with the next one', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe } = await callEach([], { one: fixture([], { env: { TRACE: trace } }) });
    await troupe.session({ prompt: 'Go.' }).outcome;
    await troupe.session({ prompt: 'Go.' }).outcome;
    const pids = pidsIn(trace);
    expect(pids).toHaveLength(1);
    await troupe.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('refuses two servers whose tools would have one name', async () => {
    const servers = { 'my server': fixture(), 'my.server': fixture() };
    await expect(callEach([], servers)).rejects.toThrow(UsageError);
  });
});

describe('a call', { timeout: 30_000 }, () => {
  it('brings text, images, descriptions of the rest, and errors', async () => {
    const { troupe, results } = await callEach(
      [{ name: 'mcp__f__mixed' }, { name: 'mcp__f__fail' }, { name: 'mcp__f__long' }],
      { f: fixture() },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(({ content, is_error }) => ({ content, is_error }))).toEqual([
      {
        content: [
          { type: 'text', text: 'a picture:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: '[audio, audio/wav, 3 bytes: cannot be shown]' },
          { type: 'text', text: '[resource log: file:///log]' },
        ],
        is_error: undefined,
      },
      { content: 'the disk is full', is_error: true },
      {
        content: [{ type: 'text', text: expect.stringMatching(/^\[Full output saved to /) }],
        is_error: undefined,
      },
    ]);
  });

  it('tells its progress', async () => {
    const { troupe } = await callEach([{ name: 'mcp__f__steps' }], { f: fixture() });
    const session = troupe.session({ prompt: 'Go.' });
    const inspected: unknown[] = [];
    session.events.on('tool.progress', () => {
      const [call] = actorsOf(troupe.inspect()).filter(({ kind }) => kind === 'toolCall');
      inspected.push(call?.progress);
    });
    const messages = await messagesOf(session);
    expect(inspected).toEqual(['1 of 2: 1', '2 of 2: 2']);
    const told = messages.filter(({ type }) => type === 'tool_progress');
    expect(told).toEqual([
      {
        type: 'tool_progress',
        tool_use_id: expect.any(String),
        tool_name: 'mcp__f__steps',
        parent_tool_use_id: null,
        elapsed_time_seconds: expect.any(Number),
        progress: '1 of 2: 1',
        uuid: expect.any(String),
        session_id: expect.any(String),
      },
    ]);
  });

  it('ends and is cancelled at the server when the server says nothing for too long', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe, results } = await callEach(
      [{ name: 'mcp__f__slow' }, { name: 'mcp__f__echo', input: { text: 'still here' } }],
      { f: fixture([], { timeout: 300, env: { TRACE: trace } }) },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual([
      'The MCP server "f" gave no answer to slow within 0.3 s, and the call was cancelled: it is unknown what the tool had done by then.',
      'still here',
    ]);
    await until('it was cancelled', () => readFileSync(trace, 'utf8').includes('was cancelled'));
  });

  it('times out at its maximum though it makes progress, is cancelled at its server, and the server stays', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe, results } = await callEach(
      [{ name: 'mcp__f__endless' }, { name: 'mcp__f__echo', input: { text: 'still here' } }],
      { f: fixture([], { timeout: 10_000, maxTotalTimeout: 300, env: { TRACE: trace } }) },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual([
      'The MCP server "f" gave no answer to endless within 0.3 s in all (maxTotalTimeout), and the call was cancelled: it is unknown what the tool had done by then.',
      'still here',
    ]);
    await until('it was cancelled', () => readFileSync(trace, 'utf8').includes('was cancelled'));
  });

  it('fails at once with an answer that cannot be used, and says what was sent', async () => {
    const deep = `{"jsonrpc":"2.0","id":$ID,"result":${'['.repeat(600)}${']'.repeat(600)}}`;
    const unknown = [
      '{"jsonrpc":"2.0","id":$ID,"result":null}',
      '{"jsonrpc":"2.0","id":$ID,"error":{"message":"no code"}}',
      '{"jsonrpc":"2.0","id":$ID,"error":{"code":-1}}',
      '{"jsonrpc":"2.0","id":$ID}',
    ];
    const odd = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"txt","text":"a"}]}}';
    const { troupe, results } = await callEach(
      [...unknown, deep, odd].map((line) => ({ name: 'mcp__f__answer', input: { line } })),
      { f: fixture() },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    const begins = 'The MCP server "f": MCP error -32600: the answer is invalid, ';
    expect(results.map((one) => resultText(one).replace(/"id":\d+/, '"id":$ID'))).toEqual([
      ...unknown.map(
        (line) =>
          `${begins}it has neither a result that is an object nor an error with a code and a message: ${line}`,
      ),
      expect.stringContaining(
        `${begins}it is nested more than 500 deep: {"jsonrpc":"2.0","id":$ID`,
      ),
      'The MCP server "f": its answer to answer is invalid: "content.0.type" must be "text", not the string "txt". Did you mean "text"?',
    ]);
  });

  it('is cancelled when the agent is interrupted', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe } = await callEach([{ name: 'mcp__f__slow' }], {
      f: fixture([], { env: { TRACE: trace } }),
    });
    const session = troupe.session({ prompt: 'Go.' });
    await until(
      'it runs',
      () => existsSync(trace) && readFileSync(trace, 'utf8').includes('began'),
    );
    session.interrupt();
    await until('it was cancelled', () => readFileSync(trace, 'utf8').includes('was cancelled'));
    expect(await session.outcome).toMatchObject({ status: 'failed' });
  });

  it('fails when its server crashes, and the next one finds the server again', async () => {
    const { troupe, results } = await callEach(
      [{ name: 'mcp__f__crash' }, { name: 'mcp__f__echo', input: { text: 'back' } }],
      { f: fixture() },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const statuses: string[] = [];
    session.events.on('mcp.status', ({ status }) => void statuses.push(status));
    await session.outcome;
    expect(results.map(resultText)).toEqual([
      'The MCP server "f" ended (by SIGKILL) while crash ran: it is unknown what the tool had done by then. Troupe connects to it again; check before you repeat the call.',
      'back',
    ]);
    expect(statuses).toEqual(['connected', 'reconnecting', 'connected']);
  });

  it('finds no tools of a server in new agents after the last reconnect failed, until another session connects it', async () => {
    const time = createSimulatedTime();
    const seen: (readonly string[])[] = [];
    const results: string[] = [];
    const statuses: string[] = [];
    const note = (request: ModelRequest) =>
      results.push(...newestResults(request.messages).map(resultText));
    const echo = { tools: [{ name: 'mcp__f__echo', input: { text: 'back' } }] };
    const look = ({ tools }: ModelRequest) => {
      seen.push(tools.map(({ name }) => name).filter((name) => name === 'mcp__f__echo'));
      return { text: 'Done.' };
    };
    const parts = playParts({
      main: [
        { tools: [{ name: 'mcp__f__fall', input: {} }] },
        async () => {
          await until(
            'it is given up',
            () => {
              const { state } = connectionOf(world.troupe, 'f') ?? {};
              if (state === 'reconnecting.waiting') time.advance(5_000);
              return state === 'failed';
            },
            25_000,
          );
          return { tools: [agentCall('worker')] };
        },
        echo,
        async (request) => {
          note(request);
          rmSync(world.at('down'));
          await world.troupe.session({ prompt: 'Again.' }).outcome;
          return { tools: [agentCall('worker')] };
        },
        echo,
        (request) => {
          note(request);
          return { text: 'Done.' };
        },
      ],
      worker: [look],
    });
    const world = await createTroupe(
      (request) =>
        userTexts(request.messages).includes('Again.') ? look(request) : parts(request),
      {
        clock: time.clock,
        now: time.now,
        agents: [defineAgent('worker')],
        mcpServers: { f: fixture() },
      },
    );
    const session = world.troupe.session({ prompt: 'Go.' });
    session.events.on('mcp.status', ({ status }) => void statuses.push(status));
    await session.outcome;
    expect(statuses.filter((one, index) => one !== statuses[index - 1])).toEqual([
      'connected',
      'reconnecting',
      'failed',
      'connecting',
      'connected',
    ]);
    expect(results).toEqual([
      'The MCP server "f" is not connected: it ended (exit code 3), and wrote: no database. Do without its tools',
      'back',
    ]);
    expect(seen).toEqual([[], ['mcp__f__echo'], ['mcp__f__echo']]);
  });

  it('fails when somebody kills its server', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe, results } = await callEach([{ name: 'mcp__f__slow' }], {
      f: fixture([], { env: { TRACE: trace } }),
    });
    const session = troupe.session({ prompt: 'Go.' });
    await until(
      'it runs',
      () => existsSync(trace) && readFileSync(trace, 'utf8').includes('began'),
    );
    process.kill(pidsIn(trace)[0] as number, 'SIGKILL');
    await session.outcome;
    expect(results.map(resultText)).toEqual([expect.stringContaining('ended (by SIGKILL)')]);
  });

  it('does not see what Troupe pays with', async () => {
    const { troupe, results } = await callEach(
      ['ANTHROPIC_API_KEY', 'OTHER', 'OWN'].map((name) => ({
        name: 'mcp__f__environment',
        input: { name },
      })),
      { f: fixture([], { env: { OWN: 'own' } }) },
      { env: { ...process.env, ANTHROPIC_API_KEY: 'secret', OTHER: 'other' } },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual(['undefined', 'other', 'own']);
  });
});

describe('the end of an orchestrator', { timeout: 30_000 }, () => {
  it('is the end of its servers, of stubborn ones too', async () => {
    const world = await callEach([], {});
    const trace = world.at('trace');
    const { troupe } = await callEach(
      [],
      {
        stubborn: fixture(['--stubborn'], { env: { TRACE: trace } }),
        polite: fixture([], { env: { TRACE: trace } }),
      },
      { permissions: ALLOW_ALL },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(pidsIn(trace).filter(isAlive)).toHaveLength(2);
    await troupe.close();
    expect(pidsIn(trace).filter(isAlive)).toEqual([]);
    expect(countProcesses(trace)).toBe(0);
  });
});
