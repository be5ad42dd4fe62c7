import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { fixture } from '../../support/mcp/servers.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import {
  createFolder,
  createTroupe,
  defineAgent,
  type TroupeOptions,
} from '../../support/troupe.js';

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`);

/** The names of the servers whose tools a request has. */
const serversIn = (request: ModelRequest | undefined): readonly string[] => [
  ...new Set(request?.tools.flatMap(({ name }) => /^mcp__(\w+?)__/.exec(name)?.[1] ?? [])),
];

/** A session whose main agent starts `reader`, then `other`. */
async function startReader(
  definition: Parameters<typeof defineAgent>[1],
  options: TroupeOptions = {},
) {
  const first: Record<string, ModelRequest> = {};
  const results: string[] = [];
  const keep = (name: string, request: ModelRequest): void => {
    first[name] ??= request;
    results.push(...newestResults(request.messages).map(resultText));
  };
  const { troupe } = await createTroupe(
    playParts({
      main: [
        (request) => (keep('main', request), { tools: [agentCall('reader')] }),
        { tools: [agentCall('other')] },
        (request) => (keep('main', request), { text: 'Done.' }),
      ],
      reader: [
        (request) => {
          keep('reader', request);
          return { tools: [{ name: 'mcp__notes__echo', input: { text: 'hello' } }] };
        },
        (request) => (keep('reader', request), { text: 'Read.' }),
      ],
      other: [(request) => (keep('other', request), { text: 'Seen.' })],
    }),
    { agents: [defineAgent('reader', definition), defineAgent('other')], ...options },
  );
  const session = troupe.session({ prompt: 'Go.' });
  const problems: string[] = [];
  session.events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed') problems.push(`${name}: ${problem}`);
  });
  const outcome = await session.outcome;
  return { troupe, session, first, results, problems, outcome };
}

describe('the MCP servers of an agent', { timeout: 20_000 }, () => {
  it('start with the agent, serve it alone, and end with it', async () => {
    const trace = `${await createFolder()}/trace`;
    const notes = fixture([], { env: { TRACE: trace } });
    const { troupe, first, results, outcome } = await startReader(
      { tools: ['Read'], mcpServers: [{ notes }] },
      { mcpServers: { shared: fixture() } },
    );
    expect(outcome.status).toBe('completed');
    expect({
      main: serversIn(first['main']),
      reader: serversIn(first['reader']),
      other: serversIn(first['other']),
    }).toEqual({ main: ['shared'], reader: ['notes'], other: ['shared'] });
    expect(results).toContain('hello');
    const pids = [...readFileSync(trace, 'utf8').matchAll(/started (\d+)/g)].map(([, pid]) =>
      Number(pid),
    );
    expect(pids).toHaveLength(1);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(
      troupe.inspect().children.flatMap(({ id }) => (id.startsWith('mcp:') ? [id] : [])),
    ).toEqual(['mcp:shared']);
  });

  it('are servers of the session if they are only named, and unknown names are reported', async () => {
    const { first, results, problems } = await startReader(
      { tools: ['Read'], mcpServers: ['notes', 'nots'] },
      { mcpServers: { notes: fixture(), other: fixture() } },
    );
    expect(serversIn(first['reader'])).toEqual(['notes']);
    expect(results).toContain('hello');
    expect(problems).toEqual(['nots: no MCP server of the session has this name']);
  });

  it('leave the agent at work if they fail', async () => {
    const { results, problems, outcome } = await startReader({
      mcpServers: [{ notes: fixture(['--broken']) }],
    });
    expect(outcome.status).toBe('completed');
    expect(problems).toEqual(['notes: it ended (exit code 3), and wrote: no database']);
    expect(results).toContainEqual(expect.stringContaining('mcp__notes__echo'));
  });
});
