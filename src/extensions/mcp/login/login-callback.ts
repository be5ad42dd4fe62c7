import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeSystemError } from '../../../core/system-error.js';
import { onAbort } from '../../../core/on-abort.js';

/** The end of a login in the browser: a server on this machine that answers one request. */
export interface LoginCallback {
  readonly redirectUrl: string;
  /** Resolves with the parameters of the redirect; rejects when the signal aborts. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

const PATH = '/callback';
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Troupe</title><p>Troupe has the answer. You can close this page.';

/** @param host name of this machine in the address: `127.0.0.1`, or `localhost` for a client that is registered so */
export async function openLoginCallback({
  host,
  port = 0,
  signal,
}: {
  readonly host: '127.0.0.1' | 'localhost';
  /** Any free port if absent. */
  readonly port?: number | undefined;
  readonly signal: AbortSignal;
}): Promise<LoginCallback> {
  const { server, answer } = createCallbackServer(signal);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new Error(`port ${port} cannot be opened for the login: ${describeSystemError(error)}`, {
          cause: error,
        }),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  answer.catch(() => {}); // the login may fail before it waits for the answer
  const opened = (server.address() as AddressInfo).port; // it listens on a port
  return {
    redirectUrl: `http://${host}:${opened}${PATH}`,
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createCallbackServer(signal: AbortSignal): {
  readonly server: Server;
  readonly answer: Promise<URLSearchParams>;
} {
  const server = createServer();
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    onAbort(signal, () => reject(signal.reason as Error));
    server.on('request', ({ method, url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      response.setHeader('connection', 'close');
      if (method !== 'GET' || pathname !== PATH) return void response.writeHead(404).end();
      server.close(); // one callback is enough
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
      response.once('close', () => resolve(searchParams));
    });
  });
  return { server, answer };
}
