import type { World } from '../command.js';
import { isLoopback, openHttpFront, type HttpFrontOptions } from '../../api/serve/http-front.js';
import { createToken, hashToken } from '../../api/serve/token.js';
import type { CommandLine } from '../arguments/command-line.js';
import { filled, portOf } from '../arguments/flag-readers.js';
import { warn } from '../output/print.js';
import { openStderr } from '../output/output-writer.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../process/signals.js';
import { openServed, type Served } from './open-served.js';
import { readToken, withoutToken } from './read-token.js';

/** Protocol of a server over HTTP. */
export type HttpProtocol = {
  /** Path of the endpoint, for people. */
  readonly path: string;
  readonly isPublic?: HttpFrontOptions['isPublic'];
  readonly answer: HttpFrontOptions['answer'];
  /** End all clients. */
  close(): Promise<void>;
};

/** The place where a server over HTTP listens. */
export type HttpPlace = { readonly host: string; readonly port: number; readonly url: string };

/**
 * Serve agents until `serve` resolves or a signal ends the process. No agent and no process of theirs is left then.
 *
 * @returns the exit code
 */
export async function serveAgents(
  line: CommandLine,
  world: World,
  serve: (served: Served, signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const served = await openServed(line, { ...world, env: withoutToken(world.env) });
  const { agents } = served;
  const over = new AbortController();
  let ended: EndingSignal | undefined;
  const stopSignals = onEndingSignals((received) => {
    ended = received;
    over.abort();
    return agents.close(received);
  });
  try {
    await serve(served, over.signal);
  } finally {
    await agents.close(ended ?? 'the client has ended');
    stopSignals();
  }
  return ended === undefined ? 0 : exitCodeOf(ended);
}

/** Serve a protocol over HTTP until the signal aborts. The address and a new token go to stderr. @throws UsageError */
export async function serveHttp(
  line: CommandLine,
  world: World,
  signal: AbortSignal,
  open: (place: HttpPlace) => HttpProtocol | Promise<HttpProtocol>,
): Promise<void> {
  const host = filled(line, '--host') ?? '127.0.0.1';
  const port = portOf(line);
  const given = readToken(line, world);
  const made = given === undefined ? createToken() : { token: given, tokenHash: hashToken(given) };
  let protocol: HttpProtocol | undefined;
  const front = await openHttpFront({
    host,
    port,
    tokenHash: made.tokenHash,
    isPublic: (path) => protocol?.isPublic?.(path) === true,
    answer: async (request, response) => protocol?.answer(request, response),
    warn: (message) => warn([message]),
  });
  try {
    protocol = await open({ host, port, url: front.url });
    if (!isLoopback(host))
      warn(['other machines can connect, and the token travels unencrypted: use a TLS proxy.']);
    if (given === undefined) await openStderr().line(`token: ${made.token}`);
    await openStderr().line(`listening on ${front.url}${protocol.path}`);
    if (!signal.aborted)
      await new Promise<void>((resolve) => void signal.addEventListener('abort', () => resolve()));
  } finally {
    await protocol?.close();
    await front.close();
  }
}
