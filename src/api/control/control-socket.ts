import { chmodSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { toFailure, UsageError } from '../../core/errors.js';
import { createShortId } from '../../core/ids.js';
import { readLines } from '../../core/json/read-lines.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { makeHome } from '../../journal/storage/prepare-folders.js';
import { thisProcess } from '../../journal/storage/process-owner.js';
import type { Orchestrator } from '../../actors/contract/orchestrator.js';
import { ControlRequest, RequestId, type ControlAnswer, type Listener } from './protocol.js';
import { requireTexts } from '../../core/text/require-text.js';

/** The longest path of a Unix socket that every system accepts. */
const LONGEST_PATH = 100;
/** Prefix of a folder for temporary files, used if the path in the home folder is too long. */
const OWN_FOLDER = 'troupe-run-';
/** Characters that `mkdtemp` adds. */
const ADDED_TO_NAME = 6;
/** Longer than any message that a person types. */
const LONGEST_LINE = 1024 * 1024;
const MOST_CONNECTIONS = 64;
/** Longest time to wait for a client that does not read. */
const LONGEST_WRITE_MS = 500;

/** A socket that `troupe ps`, `logs`, `kill`, `send`, `requests`, `approve` and `deny` reach. */
export interface ControlSocket {
  /** Accept no more requests, answer the received ones, and remove its files. */
  close(): Promise<void>;
}

type Controlled = Pick<Orchestrator, 'inspect' | 'task' | 'approvals'>;

/** Folders of a control socket. */
export type ControlSocketPlace = {
  /** Folder of journals, as in `createOrchestrator`: its `run` folder lists the processes that listen. */
  readonly home: string;
  /** Working folder of the agents; `troupe ps` shows it. */
  readonly cwd: string;
};

/**
 * Let `troupe ps`, `logs`, `kill`, `send`, `requests`, `approve` and `deny` of the same user reach this process, over a
 * socket in a folder that nobody else may enter. The socket does not keep the process alive.
 *
 * @throws UsageError if the folder cannot be made; a system error if the socket cannot
 */
export async function openControlSocket(
  troupe: Pick<Orchestrator, 'inspect' | 'task' | 'approvals'>,
  place: ControlSocketPlace,
): Promise<ControlSocket> {
  const { home, cwd } = requireTexts('openControlSocket', place, ['home', 'cwd']);
  const run = runFolder(home);
  makeHome(run);
  chmodSync(run, 0o700);
  const name = join(run, createShortId(String(process.pid))); // a process can have more than one socket
  const socket = placeFor(name);
  /** Oldest first. */
  const connections = new Set<Connection>();
  const server = createServer({ allowHalfOpen: true }, (one) => {
    const connection = serve(one, troupe);
    connections.add(connection);
    one.once('close', () => connections.delete(connection));
    if (connections.size <= MOST_CONNECTIONS) return;
    const [oldest] = connections; // clients that hold connections open cannot keep others out
    oldest?.drop();
  });
  try {
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
  } catch (error) {
    server.close();
    removeSocket(socket);
    throw error;
  }
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

/** The path of the socket: beside its listener file or, if that is too long, in a new folder for temporary files. */
function placeFor(name: string): string {
  const isShort = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_PATH;
  if (isShort(`${name}.sock`)) return `${name}.sock`;
  const own = join(tmpdir(), OWN_FOLDER);
  const like = join(`${own}${'0'.repeat(ADDED_TO_NAME)}`, 'sock');
  const folder = mkdtempSync(isShort(like) ? own : `/tmp/${OWN_FOLDER}`);
  return join(folder, 'sock');
}

/** Remove a socket, and the folder if it was made for this socket only. */
export function removeSocket(socket: string): void {
  rmSync(socket, { force: true });
  const folder = dirname(socket);
  if (!basename(folder).startsWith(OWN_FOLDER)) return;
  try {
    rmdirSync(folder);
  } catch {
    return; // another process has removed it, or put something else there
  }
}

/** The folder with one file for each process that listens. */
export function runFolder(home: string): string {
  return join(home, 'run');
}

interface Connection {
  /** Accept no more requests, and answer the current one. */
  end(): Promise<void>;
  drop(): void;
}

/** Answer one request after another. No more requests are read from a client that does not read. */
function serve(socket: Socket, troupe: Controlled): Connection {
  let isEnding = false;
  let answered: Promise<ControlAnswer> | undefined;
  let written: Promise<void> | undefined;
  const drop = (): void => void socket.destroy();
  socket.on('error', drop); // the client has gone: nobody needs the error
  socket.unref();
  const read = async (): Promise<void> => {
    const bytes = socket.iterator({ destroyOnReturn: false }); // its last request is answered even after its end
    for await (const line of readLines(bytes, LONGEST_LINE)) {
      answered = answer(line, troupe);
      written = write(socket, await answered);
      await written;
      if (isEnding) return;
    }
  };
  read().then(drop, drop);
  return {
    async end() {
      isEnding = true;
      await answered;
      const late = new AbortController();
      const { signal } = late;
      await Promise.race([written, wait(LONGEST_WRITE_MS, undefined, { signal }).catch(() => {})]);
      late.abort();
      drop();
    },
    drop,
  };
}

function write(socket: Socket, said: ControlAnswer): Promise<void> {
  return new Promise((resolve) => socket.write(`${JSON.stringify(said)}\n`, () => resolve()));
}

async function answer(line: string, troupe: Controlled): Promise<ControlAnswer> {
  const said = tryParseJson(line);
  const request = ControlRequest.safeParse(said);
  if (!request.success) {
    const why = describeRefusal(request.error, said, quotedField('it'));
    const message = `this is not a request: ${withFullStop(why)}`;
    return {
      id: RequestId.safeParse(said).data?.id ?? null,
      error: { code: 'BAD_REQUEST', message },
    };
  }
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
  if (request.method === 'requests') {
    const known = new Set(request.known);
    return troupe.approvals.list().map((one) => (known.has(one.requestId) ? one.requestId : one));
  }
  if (request.method === 'decide')
    return troupe.approvals.decide(request.requestId, request.answer, request.by);
  const task = troupe.task(request.task);
  if (task === undefined) throw new UsageError(`There is no task ${request.task}.`);
  switch (request.method) {
    case 'output': {
      const { status } = task; // before the read: output that comes last is read
      return { ...(await task.output({ from: request.from })), status };
    }
    case 'reply':
      return task.textSoFar();
    case 'kill':
      return task.kill(request.reason);
    case 'interrupt':
      task.interrupt();
      return {};
    case 'background':
      return task.background();
    case 'send':
      await task.send(request.text);
      return {};
  }
  return request satisfies never;
}
