import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

type Resource = {
  readonly name?: string;
  readonly mimeType?: string;
  readonly description?: string;
  readonly text?: string;
  readonly blob?: string;
};

export function createTestServer(options?: {
  readonly instructions?: string;
  readonly resources?: Map<string, Resource>;
  readonly templates?: readonly (readonly object[])[];
}): {
  readonly server: Server;
  readonly resources: Map<string, Resource>;
  /** Addresses of the resources that the client has subscribed to. */
  readonly subscribed: ReadonlySet<string>;
  /** Number of requests for the list of resources, and for their contents. */
  readonly seen: {
    readonly lists: number;
    readonly reads: number;
    readonly task?: string;
    readonly status?: string;
  };
  send(request: object): Promise<unknown>;
  /** Cancel the newest request to the client. */
  cancel(): void;
};
