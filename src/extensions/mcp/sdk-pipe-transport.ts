import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DEEPEST_JSON, isTooDeep } from '../../model/json-depth.js';
import type { Service } from '../../tools/shell/service.js';

/** The longest message that a server may send. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * MCP over the stdin and stdout of a process that the keeper has started. What is no message, or nested too deep, is
 * skipped. One that is too long ends the server, and with it the connection.
 */
export function createPipeTransport(service: Service): Transport {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  // The SDK takes notifications a step later than answers: in one step, progress would be lost to the answer behind it.
  let delivery = Promise.resolve();
  const deliver = (message: JSONRPCMessage): void => {
    delivery = delivery.then(() => transport.onmessage?.(message)).catch(report);
  };
  const report = (error: unknown): void => transport.onerror?.(error as Error); // thrown by the SDK

  const read = (chunk: Buffer): void => {
    try {
      buffer.append(chunk);
    } catch (error) {
      report(error);
      service.kill();
      return;
    }
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        if (isTooDeep(message))
          throw new Error(`A message is nested more than ${DEEPEST_JSON} deep.`);
        deliver(message);
      } catch (error) {
        report(error); // a line that is no message
      }
    }
  };

  const transport: Transport = {
    async start() {
      service.stdout.on('data', read);
      void service.ended.then(() => delivery).then(() => transport.onclose?.());
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        service.stdin.write(serializeMessage(message), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    async close() {
      await service.end();
    },
  };
  return transport;
}
