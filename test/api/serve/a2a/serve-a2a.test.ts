import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serveA2a } from '../../../../src/api/serve/a2a/serve-a2a.js';
import { createGate } from '../../../support/gate.js';
import { createServed } from '../../../support/served.js';

const STREAM = {
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: {
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Wait.' }] },
  },
};

/** A task whose events are streamed to a client; its agent never ends by itself. */
async function openStream() {
  const end = createGate();
  const { agents } = await createServed(async () => (await end.opened, { text: 'Done.' }));
  const a2a = serveA2a(agents, { url: 'http://127.0.0.1', types: [] });
  let response: ServerResponse | undefined;
  let answered: Promise<unknown> | undefined;
  const server = createServer((asked, answer) => {
    response = answer;
    answered = a2a.answer(asked, answer).then(
      () => 'answered',
      (error: unknown) => error,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    end.open();
    await a2a.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const client = request({ port, method: 'POST', path: a2a.path, headers });
  client.on('error', () => {}); // the connection is cut
  client.end(JSON.stringify(STREAM));
  const [{ headers: got }] = (await once(client, 'response')) as [
    { readonly headers: Readonly<Record<string, unknown>> },
  ];
  expect(got['content-type']).toBe('text/event-stream');
  return { client, response, answered: () => answered };
}

it('rejects with the error that breaks a stream off', async () => {
  const { response, answered } = await openStream();
  response?.emit('error', new Error('the disk is full'));
  expect(await answered()).toEqual(new Error('the disk is full'));
});

it('rejects with the code of a client that has gone', async () => {
  const { client, answered } = await openStream();
  client.destroy();
  expect(await answered()).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
