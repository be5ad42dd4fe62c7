import { toFailure, UsageError } from '../core/errors.js';
import type { TaskOutcome } from '../core/task-types.js';
import type { MapOptions, SpawnOptions, TaskHandle } from './public-types.js';
import { endAll } from './task-groups.js';

type Spawn = (options: SpawnOptions) => Promise<TaskHandle>;
type ToSpawn<T> = (item: T, index: number) => SpawnOptions | Promise<SpawnOptions>;

/**
 * Starts a task for each item, so many at a time, and resolves with what they return, in the order of the items. Items are
 * taken when it is their turn.
 *
 * @throws UsageError, the signal's reason, and without `settle` the first failure; when all that was started has ended
 */
export async function mapTasks<T>(
  spawn: Spawn,
  items: Iterable<T>,
  toSpawn: ToSpawn<T>,
  { concurrency = Infinity, signal, settle = false }: MapOptions = {},
): Promise<readonly unknown[]> {
  if (concurrency !== Infinity && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new UsageError(
      `concurrency is ${String(concurrency)}: a whole number above 0 is needed, such as 10.`,
    );
  signal?.throwIfAborted();
  const results: unknown[] = [];
  const live = new Set<TaskHandle>();
  const turns = items[Symbol.iterator]();
  let failed: { readonly error: unknown } | undefined;
  let count = 0;

  const fail = (error: unknown, reason: string): void => {
    failed ??= { error };
    void endAll([...live], reason);
  };

  const runOne = async (item: T, index: number): Promise<void> => {
    const handle = await spawn(await toSpawn(item, index));
    live.add(handle);
    if (failed !== undefined) void handle.kill(STOPPED); // started while another one failed
    const outcome = await handle.outcome;
    live.delete(handle);
    results[index] = settle ? outcome : await handle.result;
  };

  const nextItem = (): IteratorResult<T, undefined> => {
    const none = { done: true, value: undefined } as const;
    if (failed !== undefined) return none;
    try {
      const turn = turns.next();
      return turn.done === true ? none : turn;
    } catch (error) {
      fail(error, STOPPED);
      return none;
    }
  };

  /** Takes items until there are no more. */
  const work = async (): Promise<void> => {
    for (let turn = nextItem(); turn.done !== true; turn = nextItem()) {
      const index = count;
      count += 1;
      await runOne(turn.value, index).catch((error: unknown) => {
        if (settle)
          results[index] = { status: 'failed', failure: toFailure(error) } satisfies TaskOutcome;
        else fail(error, STOPPED);
      });
    }
  };

  const stop = (): void => fail(signal?.reason, 'aborted by the program');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const workers: Promise<void>[] = [];
    for (let taken = -1; workers.length < concurrency && count > taken;) {
      taken = count;
      workers.push(work());
    }
    await Promise.all(workers);
  } finally {
    if (failed !== undefined) turns.return?.();
    signal?.removeEventListener('abort', stop);
  }
  if (failed !== undefined) throw failed.error;
  return results;
}

const STOPPED = 'another one of its group did not complete';
