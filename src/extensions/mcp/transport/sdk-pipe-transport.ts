import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Service } from '../../../processes/run/service.js';
import { settlesWithin } from '../../../processes/start/settles-within.js';
import { readServerMessage } from './sdk-message.js';

/** Size limit of one message of a server. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const LINE_FEED = 10;
/** Wait for the end of a server that reads nothing more. */
const END_MS = 1_000;

/**
 * MCP over the stdin and stdout of a process that the supervisor has started. A line that is not a message, or nested
 * too deep, is skipped if no call waits for it. A message that is too long ends the server, and with it the connection.
 */
export function createPipeTransport(service: Service): Transport {
  // Deliver one message in each step. The SDK handles notifications a step later than answers: progress would be lost
  // if the answer behind it came in the same step.
  let delivery = Promise.resolve();
  const deliver = (message: JSONRPCMessage): void => {
    delivery = delivery.then(() => transport.onmessage?.(message)).catch(report);
  };
  const report = (error: unknown): void => transport.onerror?.(error as Error); // the SDK throws Errors

  /** Parts of a line whose end has not arrived. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const read = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
      begun = [];
      begunBytes = 0;
      from = end + 1;
      try {
        deliver(readServerMessage(line));
      } catch (error) {
        report(error); // a line that is not a message
      }
    }
    begun.push(chunk.subarray(from));
    begunBytes += chunk.length - from;
    if (begunBytes <= MAX_MESSAGE_BYTES) return;
    begun = [];
    begunBytes = 0;
    report(new Error(`A message is longer than ${MAX_MESSAGE_BYTES} bytes.`));
    service.kill();
  };

  const transport: Transport = {
    async start() {
      service.stdout.on('data', read);
      void service.ended.then(() => delivery).then(() => transport.onclose?.());
    },
    async send(message) {
      const error = await new Promise<Error | null | undefined>((resolve) => {
        service.stdin.write(serializeMessage(message), resolve);
      });
      if (!error) return;
      await settlesWithin(service.ended, END_MS); // how it ends says more than a broken pipe
      throw error;
    },
    async close() {
      await service.end();
    },
  };
  return transport;
}
