import { chmodSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { toFailure, UsageError } from '../../core/errors.js';
import { createShortId } from '../../core/ids.js';
import { tryParseJson } from '../../core/try-parse-json.js';
import { makeHome } from '../../journal/prepare-folders.js';
import { thisProcess } from '../../journal/process-owner.js';
import type { Orchestrator } from '../public-types.js';
import { ControlRequest, type ControlAnswer, type Listener } from './protocol.js';
import { readLines } from './read-lines.js';

/** The longest path that every system takes for a Unix socket. */
const LONGEST_PATH = 100;
/** Where that is not short enough: a folder for temporary files, named so. */
const OWN_FOLDER = 'troupe-run-';
/** More than any message that a person types. */
const LONGEST_LINE = 4 * 1024 * 1024;

export interface ControlSocket {
  /** Takes no more requests, answers those that it has, and takes its files away. */
  close(): Promise<void>;
}

type Controlled = Pick<Orchestrator, 'inspect' | 'task'>;

/**
 * Lets `troupe ps`, `logs`, `kill` and `send` of the same user reach this process: over a socket in a folder that nobody
 * else may enter. It does not keep the process alive.
 *
 * @param home the folder whose `run` says who listens
 * @throws UsageError where the folder cannot be made; a system error where the socket cannot
 */
export async function openControlSocket(
  troupe: Controlled,
  { home, cwd }: { readonly home: string; readonly cwd: string },
): Promise<ControlSocket> {
  const run = runFolder(home);
  makeHome(run);
  chmodSync(run, 0o700);
  const name = join(run, createShortId(String(process.pid))); // a process may listen more than once
  const isShort = Buffer.byteLength(`${name}.sock`) <= LONGEST_PATH;
  const socket = isShort ? `${name}.sock` : join(mkdtempSync(join(tmpdir(), OWN_FOLDER)), 'sock');
  const connections = new Set<Connection>();
  const server = createServer((one) => {
    const connection = serve(one, troupe);
    connections.add(connection);
    one.once('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  server.unref();
  chmodSync(socket, 0o600);
  const listener: Listener = {
    version: 1,
    owner: thisProcess(),
    socket,
    cwd,
    startedAt: Date.now(),
  };
  writeFileSync(`${name}.json`, JSON.stringify(listener), { mode: 0o600 });
  return {
    async close() {
      rmSync(`${name}.json`, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...connections].map((one) => one.end()));
      await closed;
      removeSocket(socket);
    },
  };
}

/** Takes a socket away, and the folder that was made for it alone. */
export function removeSocket(socket: string): void {
  rmSync(socket, { force: true });
  const folder = dirname(socket);
  if (basename(folder).startsWith(OWN_FOLDER)) rmdirSync(folder);
}

/** Where it stands who listens. */
export function runFolder(home: string): string {
  return join(home, 'run');
}

type Connection = { end(): Promise<void> };

function serve(socket: Socket, troupe: Controlled): Connection {
  const pending = new Set<Promise<void>>();
  socket.on('error', () => socket.destroy()); // the client has gone: nobody is left to be told
  socket.unref();
  const tell = (said: ControlAnswer): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(said)}\n`);
  };
  readLines(socket, LONGEST_LINE, (line) => {
    const answering = answer(line, troupe).then(tell);
    pending.add(answering);
    void answering.finally(() => pending.delete(answering));
  });
  return {
    async end() {
      await Promise.all(pending);
      if (socket.destroyed) return;
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.end(() => socket.destroy());
      });
    },
  };
}

async function answer(line: string, troupe: Controlled): Promise<ControlAnswer> {
  const request = ControlRequest.safeParse(tryParseJson(line));
  if (!request.success)
    return {
      id: null,
      error: { code: 'BAD_REQUEST', message: `no request: ${request.error.message}` },
    };
  const { id } = request.data;
  try {
    return { id, result: await perform(request.data, troupe) };
  } catch (error) {
    const { code, message } = toFailure(error);
    return { id, error: { code, message } };
  }
}

async function perform(request: ControlRequest, troupe: Controlled): Promise<unknown> {
  if (request.method === 'tree') return troupe.inspect();
  const task = troupe.task(request.task);
  if (task === undefined) throw new UsageError(`There is no task ${request.task}.`);
  switch (request.method) {
    case 'output': {
      const { status } = task; // before it is read: what comes last is read
      return { ...(await task.output({ from: request.from })), status };
    }
    case 'kill':
      return task.kill(request.reason);
    case 'send':
      await task.send(request.text);
      return {};
  }
  return request satisfies never;
}
