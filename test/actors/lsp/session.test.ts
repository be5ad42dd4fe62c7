import { readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionStart } from '../../../src/actors/contract/session-start.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { processesWith } from '../../processes/processes.js';
import { whyNoBwrap } from '../../processes/sandbox/sandboxed-supervisor.js';
import { fakeServer, installServer } from '../../support/lsp/servers.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import {
  ALLOW_ALL,
  ASK_FIRST,
  createTroupe,
  defineAgent,
  type TroupeOptions,
} from '../../support/troupe.js';

type Call = { readonly name: string; readonly input: Record<string, unknown> };

const HOVER: Call = {
  name: 'LSP',
  input: { operation: 'hover', filePath: 'one.fake', line: 1, character: 1 },
};

/** A server whose processes have a word in their command line, by which the test finds them. */
function markedServer() {
  const mark = `mark-${Math.random()}`;
  const server = fakeServer();
  return { mark, server: { ...server, args: [...(server.args ?? []), mark] } };
}

/** A session that makes one call a turn, and what the model saw. */
async function openSession(
  calls: readonly Call[],
  options: TroupeOptions,
  onRequest = (): void => {},
) {
  const seen: (readonly unknown[])[] = [];
  const results: ToolResultBlock[] = [];
  const tools: string[] = [];
  const steps = [...calls, undefined].map((call) => (request: ModelRequest) => {
    onRequest();
    seen.push([...(request.messages.at(-1)?.content ?? [])]);
    results.push(...newestResults(request.messages));
    tools.push(...(request.tools ?? []).map(({ name }) => name));
    return call === undefined ? { text: 'Done.' } : { tools: [call] };
  });
  const world = await createTroupe(
    playParts({ main: steps, below: [{ tools: [HOVER] }, { text: 'Looked.' }] }),
    {
      env: { PATH: '/usr/bin:/bin' },
      files: { 'one.fake': 'a\n', 'one.ts': 'const a = 1;\n' },
      ...options,
    },
  );
  const run = (start: Partial<SessionStart> = {}) =>
    world.troupe.session({ prompt: 'Go.', ...start }).outcome;
  return { ...world, run, seen, results, tools };
}

/** Denies every call, and keeps why it was asked. */
function createDenier() {
  const asked: unknown[] = [];
  const canUseTool: TroupeOptions['canUseTool'] = (_tool, _input, { decisionReason }) => {
    asked.push(decisionReason);
    return Promise.resolve({ behavior: 'deny', message: 'No.' });
  };
  return { asked, canUseTool };
}

describe('LSP in a session', { timeout: 30_000 }, () => {
  it('gets one server for all agents, which ends with the session', async () => {
    const { mark, server } = markedServer();
    const look = { description: 'Look', prompt: 'Look.', subagent_type: 'below' };
    const running: number[] = [];
    const { run, results } = await openSession(
      [HOVER, { name: 'Agent', input: look }],
      { lspServers: { fake: server }, permissions: ALLOW_ALL, agents: [defineAgent('below')] },
      () => running.push(processesWith(mark).length),
    );
    await run();
    expect(results.map(resultText)[0]).toContain('textDocument/didOpen one.fake 1');
    expect(running).toEqual([0, 1, 1]);
    expect(processesWith(mark)).toEqual([]);
  });

  it('tells new errors beside the result of an edit', async () => {
    const { run, seen } = await openSession(
      [
        HOVER,
        { name: 'Read', input: { file_path: 'one.fake' } },
        { name: 'Edit', input: { file_path: 'one.fake', old_string: 'a', new_string: 'error x' } },
      ],
      { lspServers: { fake: fakeServer() }, permissions: ALLOW_ALL },
    );
    await run();
    expect(seen.at(-1)).toEqual([
      expect.objectContaining({ type: 'tool_result' }),
      {
        type: 'text',
        text: 'A language server finds new errors in files that you have changed:\n<new-errors>\none.fake:1:1 error (fake): error x\n</new-errors>',
      },
    ]);
  });

  it('is no tool of a session without a server', async () => {
    const toolsOf = async (
      options: TroupeOptions,
      start: Partial<SessionStart> = {},
    ): Promise<readonly string[]> => {
      const { run, tools } = await openSession([], options);
      await run(start);
      return tools;
    };
    expect(await toolsOf({})).not.toContain('LSP');
    expect(await toolsOf({}, { agent: 'Explore' })).toEqual(['Bash', 'Glob', 'Grep', 'Read']);
    const lspServers = { fake: fakeServer() };
    for (const agent of ['Explore', 'Plan'])
      expect(await toolsOf({ lspServers }, { agent })).toEqual([
        'Bash',
        'Glob',
        'Grep',
        'LSP',
        'Read',
      ]);
    expect(await toolsOf({ lspServers: { fake: fakeServer() } })).toContain('LSP');
  });

  it('asks before it starts a server that no setting names', async () => {
    const { asked, canUseTool } = createDenier();
    const { run, cwd, results } = await openSession(
      [HOVER, { name: 'LSP', input: { ...HOVER.input, filePath: 'one.ts' } }],
      { lspServers: { fake: fakeServer() }, permissions: ASK_FIRST, canUseTool },
    );
    const program = await installServer(cwd);
    await run();
    expect(asked).toEqual([
      `LSP: it would start ${program}, which runs code of this project and is named by no setting.`,
    ]);
    expect(results.map(({ is_error = false }) => is_error)).toEqual([false, true]);
  });

  it('asks before it reads a file outside the project', async () => {
    const { asked, canUseTool } = createDenier();
    const { run } = await openSession(
      [{ ...HOVER, input: { ...HOVER.input, filePath: '/etc/one.fake' } }],
      { lspServers: { fake: fakeServer() }, permissions: ASK_FIRST, canUseTool },
    );
    await run();
    expect(asked).toEqual([
      'LSP: No rule allows reading /etc/one.fake, which is outside the workspace.',
    ]);
  });

  it('asks nothing about a file that a rule for Read denies', async () => {
    const { mark, server } = markedServer();
    const { run, results } = await openSession([HOVER], {
      lspServers: { fake: server },
      permissions: { deny: ['Read(*.fake)'] },
    });
    await run();
    expect(results.map(resultText)).toEqual([
      expect.stringMatching(/^Permission to use LSP was denied by the rule Read\(\*\.fake\)/),
    ]);
    expect(processesWith(mark)).toEqual([]);
  });

  it('starts nothing in a folder that is not trusted', async () => {
    const { mark, server } = markedServer();
    const { run, results } = await openSession([HOVER], {
      lspServers: { fake: server },
      permissions: ALLOW_ALL,
      isTrusted: false,
    });
    await run();
    expect(results.map(resultText)).toEqual([
      expect.stringContaining('this folder is not trusted, so none is started'),
    ]);
    expect(processesWith(mark)).toEqual([]);
  });

  it.skipIf(whyNoBwrap() !== undefined)('runs its server in the sandbox', async () => {
    const { mark, server } = markedServer();
    const namespaces = new Set<string>();
    const [program = '', ...words] = server.args ?? [];
    const { run, results } = await openSession(
      [HOVER],
      {
        // The sandbox has the project and its own /tmp, which may hold a checkout.
        files: { 'one.fake': 'a\n', 'server.mjs': readFileSync(program, 'utf8') },
        lspServers: { fake: { ...server, args: ['server.mjs', ...words] } },
        permissions: ALLOW_ALL,
        sandbox: { mode: 'bwrap' },
      },
      () => {
        for (const pid of processesWith(mark)) namespaces.add(readlinkSync(`/proc/${pid}/ns/pid`));
      },
    );
    await run();
    expect(results.map(resultText)).toEqual([expect.stringMatching(/^initialize /)]);
    namespaces.delete(readlinkSync('/proc/self/ns/pid')); // of bwrap itself
    expect(namespaces.size).toBe(1);
    expect(processesWith(mark)).toEqual([]);
  });
});
