import type { RunCommand } from '../command.js';
import { Readable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { serveAcp } from '../acp/serve-acp.js';
import { runArgumentsOf } from '../run/read-run.js';
import { openStderr, openStdout } from '../output/output-writer.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../process/signals.js';

/**
 * `troupe acp`: serve an editor on stdin and stdout. All lines for people go to stderr. The end of stdin ends everything.
 *
 * @returns the exit code
 */
export const run: RunCommand = async (line, world) => {
  process.setMaxListeners(0); // each session has its own
  const err = openStderr();
  const warn = (text: string): void => void err.line(`troupe: ${text}`);
  let signal: EndingSignal | undefined;
  const out = openStdout(() => void server.close('stdout was closed'));
  const decoder = new TextDecoder();
  const output = new WritableStream<Uint8Array>({
    write: (chunk) => out.data(decoder.decode(chunk, { stream: true })),
  });
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>; // the types of Node and of the web differ
  const server = serveAcp(ndJsonStream(output, input), {
    run: runArgumentsOf(line, undefined),
    world,
    warn,
  });
  const stopSignals = onEndingSignals((received) => {
    signal = received;
    return server.close(received);
  });
  await server.closed;
  await server.close('the client has gone');
  stopSignals();
  process.stdin.destroy();
  return signal === undefined ? 0 : exitCodeOf(signal);
};
