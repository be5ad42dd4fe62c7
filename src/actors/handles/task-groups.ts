import { UsageError } from '../../core/errors.js';
import type { TaskHandle } from '../contract/handles.js';

type Ended = Pick<TaskHandle, 'outcome' | 'result' | 'kill'>;
type ResultOf<Handle extends Ended> = Awaited<Handle['result']>;
type Results<Handles extends readonly Ended[]> = {
  readonly [Index in keyof Handles]: ResultOf<Handles[Index]>;
};

/**
 * Resolve with the results of all these tasks, in their order. If one does not complete, kill the others, and reject
 * when they have ended: no task works for an unused result.
 *
 * @throws UsageError if one of them is not a task
 * @throws the error of the first result that rejects: TaskFailedError, TaskKilledError
 *
 * @example
 * const [tests, docs] = await all([await session.spawn({ prompt: 'Run the tests.' }), await session.spawn({ prompt: 'Check the docs.' })])
 */
export async function all<const Handles extends readonly Ended[]>(
  handles: Handles,
): Promise<Results<Handles>> {
  checkHandles(handles);
  try {
    const results: readonly unknown[] = await Promise.all(handles.map(({ result }) => result));
    return results as Results<Handles>; // one for each, in their order
  } catch (error) {
    await endAll(handles, 'another one of its group did not complete');
    throw error;
  }
}

/**
 * Resolve with the result of the first task that completes, after the others, which are killed, have ended. A task that
 * fails does not end the race.
 *
 * @throws UsageError if there is no task, or if one of them is not a task
 * @throws AggregateError if no task completes, with the errors of all in their order
 */
export async function race<Handle extends Ended>(
  handles: readonly Handle[],
): Promise<ResultOf<Handle>> {
  checkHandles(handles);
  if (handles.length === 0) throw new UsageError('A race needs at least one task.');
  const first = await Promise.any(handles.map(({ result }) => result as Promise<ResultOf<Handle>>)); // the type of `handles` names it
  await endAll(handles, 'another one was first');
  return first;
}

/** Check that each handle is a task: nobody would await the task of a promise. @throws UsageError */
function checkHandles(handles: unknown): void {
  if (!Array.isArray(handles)) throw new UsageError('handles: give an array of tasks.');
  const wrong = handles.findIndex((handle) => typeof Object(handle).kill !== 'function');
  if (wrong >= 0)
    throw new UsageError(`handles[${wrong}] is no task: give what session.spawn resolves with.`);
}

/** Kill every task that has not ended. */
export async function endAll(
  handles: readonly Pick<TaskHandle, 'kill'>[],
  reason: string,
): Promise<void> {
  await Promise.all(handles.map((handle) => handle.kill(reason)));
}
