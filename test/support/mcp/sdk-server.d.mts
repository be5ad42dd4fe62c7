import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

export function createTestServer(): {
  readonly server: Server;
  send(request: object): Promise<unknown>;
};
