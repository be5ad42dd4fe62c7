import { describe, expect, it } from 'vitest';
import { createActor, toPromise, type Snapshot } from 'xstate';
import { toFailure } from '../../src/core/errors.js';
import { fromWork, FORCED } from '../../src/machines/from-work.js';

const stop = { type: 'work.stop', reason: 'killed' } as const;

/** Resolves with the reason when the signal aborts. */
const aborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

/** A work that began and ends with the reason it was stopped for. */
async function begunWork() {
  const signals: AbortSignal[] = [];
  const logic = fromWork<string>(({ signal }) => {
    signals.push(signal);
    return aborted(signal);
  }, toFailure);
  const work = createActor(logic, { input: 'x' }).start();
  await Promise.resolve();
  return { work, signals };
}

describe('fromWork', () => {
  it('completes with what the function resolves with', async () => {
    const logic = fromWork<number>(({ input }) => Promise.resolve(input + 1), toFailure);
    const work = createActor(logic, { input: 1 }).start();
    expect(await toPromise(work)).toEqual({ status: 'completed', result: 2 });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('ends done with a failure when the function %s', async (_, run) => {
    const work = createActor(fromWork<undefined>(run, toFailure), { input: undefined }).start();
    const failure = { code: 'UNEXPECTED', message: 'no' };
    expect(await toPromise(work)).toEqual({ status: 'failed', failure });
    expect(work.getSnapshot().status).toBe('done');
  });

  it('waits for the function to clean up when it is stopped', async () => {
    const { work } = await begunWork();
    work.send(stop);
    expect(work.getSnapshot().status).toBe('active');
    expect(await toPromise(work)).toEqual({ status: 'completed', result: 'killed' });
  });

  it('does not begin when it is stopped in the tick of its start', async () => {
    let begun = 0;
    const logic = fromWork<undefined>(() => Promise.resolve((begun += 1)), toFailure);
    const work = createActor(logic, { input: undefined }).start();
    work.send(stop);
    expect(await toPromise(work)).toMatchObject({ status: 'failed' });
    expect(begun).toBe(0);
  });

  it('settles at once when it is forced, and once only', async () => {
    const { work, signals } = await begunWork();
    work.send({ type: 'work.force' });
    expect(work.getSnapshot().output).toEqual({ status: 'failed', failure: FORCED });
    expect(signals[0]?.reason).toBe('forced');
    await Promise.resolve();
    expect(work.getSnapshot().output).toEqual({ status: 'failed', failure: FORCED });
  });

  it('keeps the first reason to stop', async () => {
    const { work } = await begunWork();
    work.send(stop);
    work.send({ type: 'work.stop', reason: 'again' });
    expect(work.getSnapshot().stopReason).toBe('killed');
  });

  it('ignores events that it does not know', async () => {
    const { work, signals } = await begunWork();
    work.send({ type: 'children.changed', holding: 1 } as never); // tasks send it to every work
    expect([work.getSnapshot().status, signals[0]?.aborted]).toEqual(['active', false]);
    work.stop();
  });

  it('lets nothing run on when its parent tears it off', async () => {
    const { work, signals } = await begunWork();
    work.stop();
    expect(signals[0]?.reason).toBe('forced');
  });

  it('ends without running when it is restored from a snapshot that was stopping', async () => {
    const { work } = await begunWork();
    work.send(stop);
    const stored: Snapshot<unknown> = JSON.parse(JSON.stringify(work.getPersistedSnapshot()));
    let begun = 0;
    const logic = fromWork<string>(() => Promise.resolve((begun += 1)), toFailure);
    const thawed = createActor(logic, { snapshot: stored, input: 'x' }).start();
    expect(await toPromise(thawed)).toMatchObject({ status: 'failed' });
    expect(begun).toBe(0);
  });
});
