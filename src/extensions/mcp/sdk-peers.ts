import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Service } from '../../processes/service.js';
import { describeEnd } from './mcp-errors.js';
import { createPipeTransport } from './sdk-pipe-transport.js';
import type { SdkMcpServerInstance } from './sdk-server.js';

/** A server that was started: how it is talked to, and how it ended. */
export interface McpPeer {
  readonly transport: Transport;
  /** Nothing reaches it any more; `ended` will say why. */
  readonly isGone: boolean;
  /** Resolves when it has ended and its last words were read: how, in words. */
  readonly ended: Promise<string>;
}

/** A process that the supervisor has started. */
export function peerOfService(service: Service): McpPeer {
  return {
    transport: createPipeTransport(service),
    get isGone() {
      return service.outcome !== undefined || service.stdin.destroyed;
    },
    ended: service.ended.then(describeEnd),
  };
}

/** A server inside the program. @throws what its `connect` throws */
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
