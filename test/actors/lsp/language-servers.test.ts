import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LspServerConfig } from '../../../src/settings/schema/lsp-settings.js';
import type {
  LanguageServers,
  LspQuery,
} from '../../../src/tools/capabilities/language-servers.js';
import {
  createSupervisor,
  fakeServer,
  installServer,
  openServers,
  SESSION,
  type ServersOptions,
} from '../../support/lsp/servers.js';
import { until } from '../../processes/processes.js';
import { createFolder } from '../../support/troupe.js';

const { signal } = new AbortController();

/** A folder with a file, and a session with one server for it. */
async function open(server?: LspServerConfig, options: ServersOptions = {}) {
  const root = await createFolder();
  const at = (name: string): string => join(root, name);
  const path = at('one.fake');
  await writeFile(path, 'a\nb\n');
  const lspServers = server === undefined ? {} : { fake: server };
  const { agent, processes } = openServers(root, { lspServers, ...options }, createSupervisor());
  const file = (text = 'a\nb\n', of = path) => ({ root, path: of, text });
  return { agent, processes, servers: agent(), root, path, at, file };
}

const hover = (file: Pick<LspQuery, 'root' | 'path' | 'text'>): LspQuery => ({
  ...file,
  operation: 'hover',
  line: 1,
  character: 1,
});

/** The messages that the server has received. */
async function record(servers: LanguageServers, query: LspQuery): Promise<readonly string[]> {
  const answer = await servers.ask(query, signal);
  return answer.kind === 'hover' ? answer.text.split('\n') : [];
}

describe('the language servers of a session', { timeout: 30_000 }, () => {
  it('start anew after a change of their settings, and the earlier ones end', async () => {
    const at = (level: number) => fakeServer('good', { initializationOptions: { level } });
    const lspServers = { fake: at(1) };
    const { servers, processes, root, file } = await open(undefined, { lspServers });
    expect((await record(servers, hover(file())))[0]).toBe(`initialize ${root} {"level":1}`);
    lspServers.fake = at(2);
    expect((await record(servers, hover(file())))[0]).toBe(`initialize ${root} {"level":2}`);
    await until('one server is left', () => processes.list().length === 1);
  });

  it('start with the first question, and get the text of the file', async () => {
    const { servers, processes, root, path, file } = await open(
      fakeServer('good', { initializationOptions: { level: 3 } }),
    );
    expect(processes.list()).toEqual([]);
    const query = { ...file(), operation: 'goToDefinition', line: 1, character: 1 } as const;
    expect(await servers.ask(query, signal)).toEqual({
      kind: 'locations',
      locations: [{ path, line: 3, character: 5, endLine: 3, endCharacter: 10 }],
    });
    expect(processes.list()).toEqual([expect.objectContaining({ taskId: SESSION })]);
    expect(await record(servers, hover(file('changed')))).toEqual([
      `initialize ${root} {"level":3}`,
      'textDocument/didOpen one.fake 1',
      'textDocument/didChange one.fake 2',
      'textDocument/didSave one.fake',
    ]);
  });

  it('are shared by the agents, one for each folder', async () => {
    const { agent, processes, file } = await open(fakeServer());
    await Promise.all([
      agent().ask(hover(file()), signal),
      agent().ask(hover(file()), signal),
      agent().ask({ ...hover(file()), root: await createFolder() }, signal),
    ]);
    expect(processes.list()).toHaveLength(2);
  });

  it('read a file again that has changed on disk', async () => {
    const { servers, path, at, file } = await open(fakeServer());
    await writeFile(at('two.fake'), '');
    await servers.ask(hover(file()), signal);
    await utimes(path, 1, 1);
    const got = await record(servers, hover(file('', at('two.fake'))));
    expect(got.slice(2)).toEqual([
      'textDocument/didClose one.fake',
      'textDocument/didOpen two.fake 1',
    ]);
  });

  it('cannot edit files, ask people or run commands, and learn their settings', async () => {
    const { servers, file } = await open(
      fakeServer('ask', { settings: { fake: { level: 'high' } } }),
    );
    const got = await record(servers, hover(file()));
    expect(got.slice(3)).toEqual([
      'workspace/applyEdit → {"applied":false,"failureReason":"Language servers cannot edit files here."}',
      'workspace/configuration → ["high",null]',
      'window/showMessageRequest → null',
      'workspace/executeAnything → {"code":-32601,"message":"workspace/executeAnything is not supported."}',
    ]);
  });

  it.each([
    ['headers', 'it sent a header of more than 4096 bytes'],
    ['huge', 'it announced a message of 4294967296 bytes; the limit is 16777216'],
    ['garbage', 'it sent a message that is not JSON'],
    ['deep', 'it sent a message nested more than 500 deep'],
  ])('are killed for a fault in their output: %s', async (behaviour, fault) => {
    const { servers, processes, file } = await open(fakeServer(behaviour));
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_GONE',
      message: `The language server "fake" ended (it was killed because ${fault}).`,
    });
    expect(processes.list()).toEqual([]);
  });

  it.each([
    ['nonsense', 'The language server "fake" sent an invalid answer to textDocument/hover.'],
    ['refuse', 'The language server "fake" refused textDocument/hover: I would rather not.'],
  ])('stay after an answer that cannot be used: %s', async (behaviour, message) => {
    const { servers, processes, file } = await open(fakeServer(behaviour));
    const asking = servers.ask(hover(file()), signal);
    await expect(asking).rejects.toMatchObject({ code: 'LSP_FAILED', message });
    expect(processes.list()).toHaveLength(1);
  });

  it('start again after a crash, a limited number of times', async () => {
    const { servers, file } = await open(fakeServer('crash', { maxRestarts: 1 }));
    const crash = {
      code: 'LSP_GONE',
      message: expect.stringMatching(
        /^The language server "fake" ended \(exit code 3\), and wrote: x+ \| Out of ideas\.$/,
      ),
    };
    for (let times = 0; times < 2; times += 1)
      await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject(crash);
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_NOT_STARTED',
      message:
        'The language server "fake" has ended by itself 2 times and is not started again in this session. Use Grep and Read instead.',
    });
  });

  it('are not started again if the setting says so', async () => {
    const { servers, file } = await open(fakeServer('crash', { restartOnCrash: false }));
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({ code: 'LSP_GONE' });
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_NOT_STARTED',
    });
  });

  it('have a limited time to start', async () => {
    const { servers, processes, file } = await open(fakeServer('mute', { startupTimeout: 50 }));
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_TIMEOUT',
      message:
        'The language server "fake" gave no answer to initialize within 0.05 s. Try again later, or use Grep.',
    });
    await expect.poll(() => processes.list()).toEqual([]);
  });

  it('learn that a question is cancelled, which ends at once', async () => {
    const { servers, at, file } = await open(fakeServer('silent'));
    const controller = new AbortController();
    const asking = servers.ask(hover(file()), controller.signal);
    await until('the server has the question', () => existsSync(at('asked')));
    controller.abort(new Error('The agent was stopped.'));
    await expect(asking).rejects.toThrow('The agent was stopped.');
    expect((await record(servers, hover(file()))).at(-1)).toBe('$/cancelRequest');
  });

  it('are gone when the task of the session is swept', async () => {
    const { servers, processes, file } = await open(fakeServer());
    await servers.ask(hover(file()), signal);
    expect(await processes.sweep(SESSION)).toBe(1);
    expect(processes.list()).toEqual([]);
  });

  it('start in a trusted folder only', async () => {
    const { servers, processes, file } = await open(fakeServer(), { isTrusted: false });
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_UNTRUSTED',
      message: expect.stringContaining('this folder is not trusted'),
    });
    expect(processes.list()).toEqual([]);
  });

  it('say which program is not there, and that a file has none', async () => {
    const { servers, at, file } = await open(fakeServer('good', { command: 'no-such-program' }));
    await expect(servers.ask(hover(file()), signal)).rejects.toMatchObject({
      code: 'LSP_NOT_STARTED',
      message:
        'The language server "fake": "no-such-program" could not be started: there is no program "no-such-program" on the PATH.',
    });
    await expect(servers.ask(hover(file('', at('a.txt'))), signal)).rejects.toMatchObject({
      code: 'LSP_NO_SERVER',
    });
  });

  it('need approval if no setting names them', async () => {
    const { servers, root, at } = await open();
    const file = { root, path: at('a.ts') };
    expect(servers.startsUnasked(file)).toBe(undefined);
    const program = await installServer(root);
    expect(servers.startsUnasked(file)).toBe(program);
    expect(servers.startsUnasked({ root, path: at('a.txt') })).toBe(undefined);
  });
});

describe('a change of a file', { timeout: 30_000 }, () => {
  /** A server that runs, and a file that an agent changes. */
  async function openRunning(before: string, behaviour = 'good', changeMs = 5_000) {
    const world = await open(fakeServer(behaviour), { changeMs });
    const { servers, path, file } = world;
    await servers.ask(hover(file('', world.at('other.fake'))), signal);
    let previous = before;
    const change = async (text: string, by = servers): Promise<readonly string[]> => {
      await writeFile(path, text);
      await by.changed([{ ...file(text), before: previous }], signal);
      previous = text;
      return by.newErrors().map(({ line, message }) => `${line} ${message}`);
    };
    return { ...world, change };
  }

  it('shows errors that were not there before, each once', async () => {
    const { change } = await openRunning('error old\n');
    expect(await change('fine\nerror old\n')).toEqual([]);
    expect(await change('error old\nerror new\nerror old\n')).toEqual([
      '2 error new',
      '3 error old',
    ]);
    expect(await change('error old\nerror new\nerror old\n\n')).toEqual([]);
    expect(await change('fine\n')).toEqual([]);
    expect(await change('error new\n')).toEqual(['1 error new']);
  });

  it('opens the file as it was, then sends the change and that it is saved', async () => {
    const { change, servers, file } = await openRunning('a\n');
    await change('b\n');
    const got = await record(servers, hover(file('b\n')));
    expect(got.slice(2)).toEqual([
      'workspace/didChangeWatchedFiles',
      'textDocument/didOpen one.fake 1',
      'textDocument/didChange one.fake 2',
      'textDocument/didSave one.fake',
    ]);
  });

  it('shows the errors of a server that is asked for them', async () => {
    const { change, servers, path, file } = await openRunning('error old\n', 'pull');
    expect(await change('error old\nerror new\n')).toEqual(['2 error new']);
    const asked = await servers.ask({ ...file('error x\n'), operation: 'diagnostics' }, signal);
    const place = { path, line: 1, character: 1, endLine: 1, endCharacter: 2 };
    expect(asked).toEqual({
      kind: 'diagnostics',
      diagnostics: [{ ...place, severity: 'error', source: 'fake', message: 'error x' }],
      isPartial: false,
    });
  });

  it('shows nothing if a server refuses to say', async () => {
    const { change, servers, file } = await openRunning('error old\n', 'pull-refused');
    expect(await change('error new\n')).toEqual([]);
    expect(await servers.ask({ ...file('error x\n'), operation: 'diagnostics' }, signal)).toEqual({
      kind: 'diagnostics',
      diagnostics: [],
      isPartial: true,
    });
  });

  it('shows errors to the agent that made the change', async () => {
    const { change, agent } = await openRunning('a\n');
    const other = agent();
    expect(await change('error new\n')).toEqual(['1 error new']);
    expect(other.newErrors()).toEqual([]);
  });

  it('shows errors with a later result if the server is slow', async () => {
    const { change, servers, file } = await openRunning('a\n', 'slow', 50);
    expect(await change('error new\n')).toEqual([]);
    await servers.ask(hover(file('error new\n')), signal);
    expect(servers.newErrors().map(({ message }) => message)).toEqual(['error new']);
  });

  it('starts no server', async () => {
    const { servers, processes, file } = await open(fakeServer());
    await servers.changed([{ ...file('error\n'), before: 'a\n' }], signal);
    expect(servers.newErrors()).toEqual([]);
    expect(processes.list()).toEqual([]);
  });
});
