import { json } from 'node:stream/consumers';
import type { ServerResponse } from 'node:http';
import type { HttpServer } from './http-server.js';

/** A hostile answer to the call with this ID. */
export type Hostility = (
  response: ServerResponse,
  id: number,
  /** Answer a request to resume the stream. */
  onGet: (answer: (response: ServerResponse, lastEventId: unknown) => void) => void,
) => void;

/** Serve the tools `go` and `echo`. `hostility` answers calls of `go`, or all requests of another method. */
export function serveHostile(
  http: HttpServer,
  path: string,
  hostility: Hostility,
  at = 'tools/call',
): string {
  let session = 0;
  let resume: Parameters<Parameters<Hostility>[2]>[0] | undefined;
  return http.serve(path, async (request, response) => {
    const lastEventId = request.headers['last-event-id'];
    if (resume !== undefined && lastEventId !== undefined) return resume(response, lastEventId);
    if (request.method === 'GET') return void response.writeHead(405).end();
    if (request.method !== 'POST') return void response.writeHead(200).end();
    const message = (await json(request)) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: { readonly name?: string; readonly protocolVersion?: string };
    };
    const { id, method, params } = message;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === at && (params?.name === 'go' || at !== 'tools/call'))
      return hostility(response, id, (answer) => (resume = answer));
    const inputSchema = { type: 'object' };
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      },
      'tools/list': {
        tools: [
          { name: 'go', inputSchema },
          { name: 'echo', inputSchema },
        ],
      },
      'tools/call': { content: [{ type: 'text', text: 'still here' }] },
    };
    session += 1; // a new ID with each answer
    response.writeHead(200, {
      'content-type': 'application/json',
      'mcp-session-id': `session-${session}`,
    });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
}

/** Begin a stream of events. */
export function beginEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}
