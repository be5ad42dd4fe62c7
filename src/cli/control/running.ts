import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ControlRequest } from '../../api/types.js';
import { TaskFailedError, UsageError } from '../../api/errors.js';
import { readRegularFile } from '../../api/files/folders.js';
import { describeSystemError } from '../../api/text.js';
import { removeSocket, runFolder } from '../../api/control/control-socket.js';
import { ControlAnswer, Listener, ToldActor } from '../../api/control/protocol.js';
import { readLines, tryParseJson } from '../../api/json.js';
import { isAlive } from '../../api/sessions/sessions.js';

const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** Room for the tree of some ten thousand agents. */
const LONGEST_ANSWER = 256 * 1024 * 1024;
const NOT_UNDERSTOOD = 'its answer is not understood';

type Asked = ControlRequest extends infer R
  ? R extends ControlRequest
    ? Omit<R, 'id'>
    : never
  : never;

/** A connection to a running troupe. */
export interface RunningTroupe extends Listener {
  /** @throws TaskFailedError with the error of the troupe, or if it does not answer */
  ask(request: Asked): Promise<unknown>;
  close(): void;
}

/** A running troupe with its tree of this moment. */
export type SeenTroupe = {
  readonly troupe: RunningTroupe;
  readonly tree: ToldActor;
};

/**
 * Find all processes that listen in this home, oldest first. Files of killed processes are deleted.
 *
 * @throws UsageError if the folder of their sockets cannot be read
 */
export function listListeners(home: string): readonly Listener[] {
  const folder = runFolder(home);
  return namesIn(folder)
    .filter((name) => /^\d+-\w+\.json$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const listener = Listener.safeParse(tryParseJson(read(path))).data;
      if (listener === undefined || listener.owner.hostname !== hostname()) return []; // it is being written, or of another machine
      if (isAlive(listener.owner)) return [listener];
      removeLeft(path, listener);
      return [];
    })
    .toSorted((a, b) => a.startedAt - b.startedAt);
}

/**
 * Connect to all running troupes and read their trees.
 *
 * @param onSilent called for each troupe that does not answer
 * @throws UsageError if the running troupes cannot be found
 */
export async function seeAll(
  home: string,
  onSilent: (listener: Listener, error: unknown) => void,
): Promise<readonly SeenTroupe[]> {
  const seen = await Promise.all(
    listListeners(home).map(async (listener): Promise<SeenTroupe | undefined> => {
      const troupe = connect(listener);
      try {
        const told = ToldActor.safeParse(await troupe.ask({ method: 'tree' }));
        if (told.success) return { troupe, tree: told.data };
        throw unreachable(listener, NOT_UNDERSTOOD);
      } catch (error) {
        troupe.close();
        if (isAlive(listener.owner)) onSilent(listener, error);
        return undefined;
      }
    }),
  );
  return seen.filter((one) => one !== undefined);
}

/** Whether the process has ended, or ends within a few seconds: it closes its socket before its end. */
export async function hasEnded({ owner }: Listener): Promise<boolean> {
  for (let waited = 0; isAlive(owner); waited += LOOK_EVERY_MS) {
    if (waited >= PATIENCE_MS) return false;
    await wait(LOOK_EVERY_MS);
  }
  return true;
}

function connect(listener: Listener): RunningTroupe {
  const socket = createConnection(listener.socket);
  socket.on('error', () => {}); // its reader reports it
  const waiting = new Map<number, (answer: ControlAnswer) => void>();
  let last = 0;
  const hear = async (): Promise<never> => {
    for await (const line of readLines(socket, LONGEST_ANSWER)) {
      const answer = ControlAnswer.safeParse(tryParseJson(line)).data;
      const { id } = answer ?? { id: null };
      if (answer === undefined || id === null) throw new Error(NOT_UNDERSTOOD);
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
    throw new Error('it has closed the connection');
  };
  const failed = hear().catch((error: unknown) => {
    throw unreachable(listener, describeSystemError(error));
  });
  failed.catch(() => {}); // the caller of a request gets it
  return {
    ...listener,
    async ask(request) {
      const id = (last += 1);
      const answered = new Promise<ControlAnswer>((resolve) => waiting.set(id, resolve));
      socket.write(`${JSON.stringify({ id, ...request })}\n`);
      const silent = (): unknown =>
        socket.destroy(new Error(`it sent nothing for ${PATIENCE_MS / 1_000} s`));
      const timer = request.method === 'kill' ? undefined : setTimeout(silent, PATIENCE_MS); // a task may take long to end
      const answer = await Promise.race([answered, failed]).finally(() => clearTimeout(timer));
      if ('error' in answer) throw new TaskFailedError(answer.error);
      return answer.result;
    },
    close: () => socket.destroy(),
  };
}

function unreachable({ owner }: Listener, why: string): TaskFailedError {
  const message = `process ${owner.pid} does not answer: ${why}`;
  return new TaskFailedError({ code: 'TROUPE_UNREACHABLE', message });
}

/** Delete the files of a killed process, and nothing else, even if the file names other paths. */
function removeLeft(path: string, { socket }: Listener): void {
  rmSync(path, { force: true });
  try {
    if (lstatSync(socket).isSocket()) removeSocket(socket);
  } catch {
    return; // it is gone, or may not be deleted
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // no process has listened here yet
    throw new UsageError(`The running troupes cannot be found: ${describeSystemError(error)}.`);
  }
}

function read(path: string): string {
  try {
    return readRegularFile(path) ?? '';
  } catch {
    return ''; // the process has just ended
  }
}
