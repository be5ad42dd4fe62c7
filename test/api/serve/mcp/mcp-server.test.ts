import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectMcpClient, type Approver } from '../../../../src/api/serve/mcp/mcp-server.js';
import type { ServedAgents } from '../../../../src/api/serve/serve-types.js';
import { createGate } from '../../../support/gate.js';
import { createServed, makesFile } from '../../../support/served.js';

type Person = (form: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;

async function connect(
  agents: ServedAgents,
  { person, approver = 'client' }: { person?: Person; approver?: Approver } = {},
) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const connection = await connectMcpClient(far, { agents, approver, warn: () => {} });
  const capabilities = person === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (person !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      person(params, signal),
    );
  await client.connect(near);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}, more: object = {}) => {
    const result = await client.callTool({ name, arguments: args }, undefined, more);
    return result.structuredContent as Record<string, unknown> | undefined;
  };
  return { client, call, connection };
}

describe('the MCP server', () => {
  it('describes its tools with schemas and hints', async () => {
    const { agents } = await createServed(makesFile);
    const { client } = await connect(agents);
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations, outputSchema }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
      outputSchema?.type,
    ]);
    expect(hints).toEqual([
      ['spawn', false, true, 'object'],
      ['send', false, true, 'object'],
      ['status', true, undefined, 'object'],
      ['output', true, undefined, 'object'],
      ['kill', false, true, 'object'],
      ['requests', true, undefined, 'object'],
      ['decide', false, true, 'object'],
    ]);
    await expect(client.callTool({ name: 'spwan', arguments: {} })).rejects.toThrow(
      'There is no tool "spwan". The tools: spawn, send, status, output, kill, requests, decide.',
    );
    expect(await client.callTool({ name: 'spawn', arguments: { promt: 'Go.' } })).toEqual({
      isError: true,
      content: [
        { type: 'text', text: 'spawn: the input: there is no field "promt". Did you mean prompt?' },
      ],
    });
  });

  it('puts a request to the person at the client, whose decision counts', async () => {
    const forms: unknown[] = [];
    const { agents } = await createServed(makesFile);
    const { call } = await connect(agents, {
      person: async ({ message }) => {
        forms.push(message);
        return { action: 'accept', content: { decision: 'allow' } };
      },
    });
    expect(await call('spawn', { prompt: 'Make it.' })).toMatchObject({ result: 'Made.' });
    expect(forms).toEqual([
      'The agent main asks to use Bash:\n{\n  "command": "touch made"\n}\nWhy it asks: Bash: No rule allows "touch made".',
    ]);
  });

  it.each([
    [{ action: 'decline' }, 'The person at the MCP client test did not decide: decline.'],
    [{ action: 'cancel' }, 'The person at the MCP client test did not decide: cancel.'],
    [{ action: 'accept', content: { decision: 'deny', message: 'Not now.' } }, 'Not now.'],
    [{ action: 'accept', content: { decision: 'perhaps' } }, 'could not decide'],
  ] as const)('denies after the answer %j', async (answer, why) => {
    const { agents } = await createServed(makesFile);
    const person: Person = () => Promise.resolve(answer as ElicitResult);
    const { call } = await connect(agents, { person });
    const { result } = (await call('spawn', { prompt: 'Make it.' })) ?? {};
    expect(result).toMatch(/^Denied: /);
    expect(result).toContain(why);
  });

  it('withdraws the form if another client decides first', async () => {
    const withdrawn = createGate();
    const shown = createGate();
    const { agents } = await createServed(makesFile);
    const { call } = await connect(agents, {
      person: (_, signal) =>
        new Promise((resolve) => {
          shown.open();
          signal.addEventListener('abort', () => {
            withdrawn.open();
            resolve({ action: 'cancel' });
          });
        }),
    });
    const other = await connect(agents);
    const spawned = call('spawn', { prompt: 'Make it.' });
    await shown.opened;
    const { requests } = (await other.call('requests')) as { requests: { requestId: string }[] };
    const decision = { requestId: requests[0]?.requestId, decision: 'allow' };
    expect(await other.call('decide', decision)).toEqual({ status: 'accepted' });
    await withdrawn.opened;
    expect(await spawned).toMatchObject({ result: 'Made.' });
  });

  it('asks the questions of an agent', async () => {
    const options = [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ];
    const question = { question: 'Which?', header: 'Colour', options, multiSelect: false };
    const { agents } = await createServed(({ messages }) =>
      messages.length === 1
        ? { tools: [{ name: 'AskUserQuestion', input: { questions: [question] } }] }
        : { text: JSON.stringify(messages.at(-1)?.content) },
    );
    const { call } = await connect(agents, {
      person: () => Promise.resolve({ action: 'accept', content: { choice0: 'Blue' } }),
    });
    const { result } = (await call('spawn', { prompt: 'Ask.' })) ?? {};
    expect(result).toContain('Which? → Blue');
  });

  it('denies if only a person may decide and the client shows no forms', async () => {
    const { agents } = await createServed(makesFile);
    const { call, client } = await connect(agents, { approver: 'person' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('decide');
    const { id } = (await call('spawn', { prompt: 'Make it.' })) ?? {};
    const { result } = (await call('output', { id, wait: true })) ?? {};
    expect(result).toContain('Nobody may decide this: only a person may');
  });

  it('kills the agent of a cancelled spawn, and lets that of a cancelled wait continue', async () => {
    const { agents } = await createServed(() => new Promise(() => {}));
    const { call } = await connect(agents);
    const cancel = async (name: string, args: Record<string, unknown>) => {
      const over = new AbortController();
      const asked = call(name, args, { signal: over.signal });
      await call('status'); // the server has the call
      over.abort();
      await expect(asked).rejects.toThrow(/abort/i);
    };
    const { id } = (await call('spawn', { prompt: 'Think.', wait: false })) ?? {};
    await cancel('output', { id, wait: true });
    await cancel('spawn', { prompt: 'Think too.' });
    const { agents: states } = (await call('status')) as { agents: { id: string }[] };
    const cancelled = states.find((one) => one.id !== id)?.id ?? '';
    const { status, error } = await agents.follow(cancelled, {
      signal: new AbortController().signal,
      until: () => false,
      onLine: () => {},
    });
    expect({ status, error }).toEqual({ status: 'killed', error: 'the client cancelled the call' });
    expect(agents.state(String(id)).status).toBe('running');
  });
});
