import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { toFailure, UsageError } from '../../core/errors.js';
import type { TaskOutcome } from '../../core/task-types.js';
import { onAbort } from '../../core/on-abort.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';
import { checkSignal } from '../services/check-signal.js';
import type { TaskHandle } from '../contract/handles.js';
import type { MapOptions, SpawnOptions } from '../contract/spawn-options.js';
import { endAll } from './task-groups.js';

type Spawn = (options: SpawnOptions) => Promise<TaskHandle>;
type ToSpawn<T> = (item: T, index: number) => SpawnOptions | Promise<SpawnOptions>;
type Items<T> = Iterable<T> | AsyncIterable<T>;

const elsewhere = z.unknown().optional();
const Options = strictOptions({
  concurrency: elsewhere, // below
  signal: elsewhere, // checkSignal
  settle: z.boolean().optional(),
} satisfies Record<keyof MapOptions, z.ZodType>);

/**
 * Start a task for each item, a limited number at a time, and resolve with their results, in the order of the items. An
 * item is taken when it is its turn.
 *
 * @throws UsageError, the signal's reason, and without `settle` the first failure; when all started tasks have ended
 */
export async function mapTasks<T>(
  spawn: Spawn,
  items: Items<T>,
  toSpawn: ToSpawn<T>,
  options: MapOptions = {},
): Promise<readonly unknown[]> {
  checkOptions(Options, options, 'session.map');
  const { concurrency = Infinity, signal, settle = false } = options;
  if (typeof toSpawn !== 'function')
    throw new UsageError(
      'session.map: toSpawn must be a function that returns what session.spawn takes.',
    );
  if (concurrency !== Infinity && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new UsageError(
      `concurrency is ${String(concurrency)}: a whole number above 0 is needed, such as 10.`,
    );
  checkSignal(signal);
  const turns = turnsOf(items);
  signal?.throwIfAborted();
  const results: unknown[] = [];
  const group = createGroup();
  const work = createCount();

  const runOne = async (item: T, index: number): Promise<void> => {
    const handle = await spawn(await group.unlessFailed(toSpawn(item, index)));
    const outcome = await group.watch(handle);
    results[index] = settle ? outcome : await handle.result;
  };

  const runNoted = async (item: T, index: number): Promise<void> => {
    work.add(1);
    await runOne(item, index).catch((error: unknown) => {
      if (settle)
        results[index] = { status: 'failed', failure: toFailure(error) } satisfies TaskOutcome;
      else group.fail(error, STOPPED);
    });
    work.add(-1);
  };

  const nextItem = async (): Promise<IteratorResult<T, unknown>> => {
    const none = { done: true, value: undefined } as const;
    if (group.failed !== undefined) return none;
    try {
      return await group.unlessFailed(turns.next());
    } catch (error) {
      group.fail(error, STOPPED);
      return none;
    }
  };

  const stopListening = onAbort(signal, () => group.fail(signal?.reason, 'aborted by the program'));
  for (let index = 0; ; index += 1) {
    const turn = await nextItem();
    if (turn.done === true) break;
    void runNoted(turn.value, index);
    if (index % STARTS_IN_A_ROW === STARTS_IN_A_ROW - 1) await setImmediate();
    await work.below(concurrency);
  }
  await work.below(1);
  stopListening();
  if (group.failed === undefined) return results;
  closeItems(turns);
  throw group.failed.error;
}

/** The running tasks of one map: when one fails, the others are killed, and all waits end. */
function createGroup() {
  const live = new Set<TaskHandle>();
  /** Rejects each wait for a promise of the program. */
  const giveUps = new Set<(error: unknown) => void>();
  let failed: { readonly error: unknown } | undefined;
  return {
    /** The first failure. */
    get failed() {
      return failed;
    },
    fail(error: unknown, reason: string): void {
      if (failed !== undefined) return; // killed tasks fail as well
      failed = { error };
      for (const giveUp of giveUps) giveUp(error);
      void endAll([...live], reason);
    },
    /** Resolve with the value, or reject as soon as a task has failed. */
    unlessFailed: <R>(value: R | Promise<R>): Promise<R> =>
      new Promise((resolve, reject) => {
        giveUps.add(reject);
        if (failed !== undefined) reject(failed.error as Error);
        void Promise.resolve(value)
          .then(resolve, reject)
          .finally(() => giveUps.delete(reject));
      }),
    /** Resolve with the outcome of a new task. */
    async watch(handle: TaskHandle): Promise<TaskOutcome> {
      live.add(handle);
      if (failed !== undefined) void handle.kill(STOPPED); // another task failed before this one started
      const outcome = await handle.outcome;
      live.delete(handle);
      return outcome;
    },
  };
}

/** A count that can be awaited. */
function createCount() {
  let count = 0;
  let look = (): void => {};
  return {
    add(by: 1 | -1): void {
      count += by;
      look();
    },
    below: (most: number): Promise<void> =>
      new Promise((resolve) => {
        look = () => {
          if (count < most) resolve();
        };
        look();
      }),
  };
}

/** Starts before the event loop runs other work: a signal, a timer, a socket. */
const STARTS_IN_A_ROW = 25;

const STOPPED = 'another one of its group did not complete';

function turnsOf<T>(items: Items<T>): Iterator<T> | AsyncIterator<T> {
  const given = Object(items) as Partial<Iterable<T> & AsyncIterable<T>>; // a program may pass anything
  const turns = given[Symbol.asyncIterator]?.() ?? given[Symbol.iterator]?.();
  if (turns === undefined || typeof items === 'string')
    throw new UsageError(
      'items cannot be iterated: give an array (a text is no list), another iterable, or what a generator or async generator returns.',
    );
  return turns;
}

/** An awaited item may never come, so nobody waits for the end of its iterator either. */
function closeItems(turns: Iterator<unknown> | AsyncIterator<unknown>): void {
  const close = async (): Promise<void> => void (await turns.return?.());
  close().catch(() => {}); // the first failure is reported already
}
