import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on this machine until the test ends. Counts its requests by path. */
export async function serve(handle: RequestListener) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { port, seen, url: (path: string) => `http://127.0.0.1:${port}${path}` };
}

export type Page = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** Serves these pages, by path. */
export const pages =
  (all: Readonly<Record<string, Page>>): RequestListener =>
  ({ url = '' }, response) => {
    const {
      status = 200,
      headers = { 'content-type': 'text/html' },
      body = '',
    } = all[url] ?? {
      status: 404,
    };
    response.writeHead(status, headers).end(body);
  };
