import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Service } from '../../../processes/run/service.js';
import { describeEnd } from '../mcp-errors.js';
import { createPipeTransport } from './sdk-pipe-transport.js';
import type { SdkMcpServerInstance } from '../servers/sdk-server.js';

/** A server that was started: its transport, and how it ended. */
export interface McpPeer {
  readonly transport: Transport;
  /** True: no message reaches the server any more, and `ended` will say why. */
  readonly isGone: boolean;
  /** Resolves when the server has ended and its last output was read: how it ended, in words. */
  readonly ended: Promise<string>;
}

/** Make the peer of a process that the supervisor has started. */
export function peerOfService(service: Service): McpPeer {
  return {
    transport: createPipeTransport(service),
    get isGone() {
      return service.outcome !== undefined || service.stdin.destroyed;
    },
    ended: service.ended.then(describeEnd),
  };
}

/** Make the peer of a server inside the program. @throws what its `connect` throws */
export async function peerOfInstance(instance: SdkMcpServerInstance): Promise<McpPeer> {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  let isGone = false;
  await instance.connect(far);
  const { onclose } = far;
  const ended = new Promise<string>((resolve) => {
    // eslint-disable-next-line unicorn/prefer-add-event-listener -- a transport has nothing else
    far.onclose = () => {
      isGone = true;
      onclose?.();
      resolve('it was closed');
    };
  });
  return {
    transport,
    get isGone() {
      return isGone;
    },
    ended,
  };
}
