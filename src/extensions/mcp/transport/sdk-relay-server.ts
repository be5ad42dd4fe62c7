import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpSdkServerConfig } from '../servers/sdk-server.js';

/** An MCP server inside the program of a client: messages are sent to it and come back one by one. */
export interface RelayServer {
  readonly config: McpSdkServerConfig;
  /** Pass on a message that the server sent by itself. @throws TypeError if it is not a JSON-RPC message */
  receive(message: unknown): Promise<void>;
}

/**
 * Connect to an MCP server over a channel that carries one message at a time.
 *
 * @param send delivers a message and resolves with the server's response to it, if there is one; rejects if the client
 *   cannot deliver it, which closes the connection
 */
export function createRelayServer(
  name: string,
  send: (message: JSONRPCMessage) => Promise<unknown>,
): RelayServer {
  let open: Transport | undefined;
  const deliver = async (transport: Transport, message: unknown): Promise<void> => {
    if (typeof message !== 'object' || message === null || !('jsonrpc' in message))
      throw new TypeError(
        `The MCP server "${name}" sent something that is not a JSON-RPC message.`,
      );
    return transport.send(message as JSONRPCMessage); // the client of the MCP SDK checks all of it
  };
  const relay = async (transport: Transport, message: JSONRPCMessage): Promise<void> => {
    const isRequest = 'method' in message && 'id' in message;
    try {
      const response = await send(message);
      if (isRequest) await deliver(transport, response); // a notification has no response
    } catch (error) {
      if (!isRequest) return; // the sender does not wait
      const text = error instanceof Error ? error.message : String(error);
      const failure = { code: INTERNAL_ERROR, message: text };
      await transport.send({ jsonrpc: '2.0', id: message.id, error: failure }).catch(() => {}); // closed: nobody waits
    }
  };
  return {
    config: {
      type: 'sdk',
      name,
      instance: {
        async connect(transport: Transport) {
          open = transport;
          // eslint-disable-next-line unicorn/prefer-add-event-listener -- a transport has nothing else
          transport.onmessage = (message) => void relay(transport, message);
          await transport.start();
        },
      },
    },
    async receive(message) {
      if (open === undefined) throw new TypeError(`The MCP server "${name}" is not connected.`);
      await deliver(open, message);
    },
  };
}

/** `INTERNAL_ERROR` of JSON-RPC. */
const INTERNAL_ERROR = -32_603;
