import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runHttpHook } from '../../../src/actors/hooks/run-http-hook.js';

it('fails if the answer of its server does not end, and closes the connection', async () => {
  const chunk = 'x'.repeat(100_000);
  const server = createServer((_request, response) => {
    const fill = (): void => {
      while (response.write(chunk));
    };
    response.on('drain', fill);
    fill();
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = new Promise((resolve) => {
    server.on('connection', (socket) => socket.on('close', resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const input = { hook_event_name: 'Stop' } as Parameters<typeof runHttpHook>[1];
  const run = runHttpHook({ type: 'http', url }, input, {}, new AbortController().signal);
  await expect(run).rejects.toThrow(`${url}: its answer has more than 1000000 bytes`);
  await closed;
});
