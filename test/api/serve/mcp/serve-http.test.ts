import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToken } from '../../../../src/actors/services/bearer-token.js';
import { openHttpFront } from '../../../../src/api/serve/http-front.js';
import { serveMcpHttp } from '../../../../src/api/serve/mcp/serve-http.js';
import type { AgentState, ServedAgents } from '../../../../src/api/serve/serve-types.js';
import { createServed } from '../../../support/served.js';

/** Serve agents that think until they are killed, to one client. */
async function open(limits: { readonly idleMs?: number } = {}) {
  const { agents } = await createServed(() => new Promise(() => {}));
  const { token, tokenHash } = createToken();
  const http = serveMcpHttp({ agents, approver: 'client', warn: () => {} }, limits);
  const front = await openHttpFront({
    host: '127.0.0.1',
    port: 0,
    tokenHash,
    answer: (request, response) => http.answer(request, response),
    warn: () => {},
  });
  onTestFinished(async () => {
    await http.close();
    await front.close();
  });
  const url = new URL(`${front.url}/mcp`);
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport); // optional fields, as in the SDK
  onTestFinished(() => client.close());
  const spawned = await client.callTool({
    name: 'spawn',
    arguments: { prompt: 'Think.', wait: false },
  });
  const { id } = spawned.structuredContent as { id: string };
  return { agents, client, transport, url, headers, id };
}

const endOf = (agents: ServedAgents, id: string): Promise<AgentState> =>
  agents.follow(id, {
    signal: new AbortController().signal,
    until: () => false,
    onLine: () => {},
  });
const gone = { status: 'killed', error: 'its client has ended' };

describe('MCP over HTTP', () => {
  it('ends the agents of a client that deletes its session', async () => {
    const { agents, transport, url, headers, id } = await open();
    const session = { ...headers, 'mcp-session-id': String(transport.sessionId) };
    await transport.terminateSession();
    expect(await endOf(agents, id)).toMatchObject(gone);
    const again = await fetch(url, { method: 'DELETE', headers: session });
    expect(again.status).toBe(404);
  });

  it('ends the agents of a client that has had no request open for a while', async () => {
    const { agents, client, id } = await open({ idleMs: 500 });
    expect(agents.state(id).status).toBe('running');
    await client.close(); // without DELETE, as if it was killed
    expect(await endOf(agents, id)).toMatchObject(gone);
  });

  it('resumes a stream after the last event that the client has', async () => {
    const { transport, url, headers } = await open();
    const session = {
      ...headers,
      'mcp-session-id': String(transport.sessionId),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const list = { jsonrpc: '2.0', id: 9, method: 'tools/list' };
    const first = await fetch(url, {
      method: 'POST',
      headers: session,
      body: JSON.stringify(list),
    });
    const events = (await first.text()).split('\n\n');
    const [, eventId = ''] = /^id: (\S+)/m.exec(events[0] ?? '') ?? [];
    const over = new AbortController();
    const resumed = await fetch(url, {
      headers: { ...session, 'last-event-id': eventId },
      signal: over.signal,
    });
    const { value } = (await resumed.body?.getReader().read()) ?? {};
    over.abort();
    expect(events.length).toBeGreaterThan(2); // the event without data, and the answer
    expect(new TextDecoder().decode(value)).toContain(events[1]);
  });

  it('refuses a body that is too long, and a request without a session', async () => {
    const { url, headers } = await open();
    const post = (body: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
      });
    expect((await post(`"${'x'.repeat(4 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).status).toBe(400);
  });
});
