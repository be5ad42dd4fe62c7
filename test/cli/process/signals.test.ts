import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  exitCodeOf,
  onEndingSignals,
  type EndingSignal,
} from '../../../src/cli/process/signals.js';

// A real timer would end this process later, in the middle of another test.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends with %i, at once if it comes a second time', (signal, code) => {
  const exit = catchExit();
  const ends: EndingSignal[] = [];
  const stop = onEndingSignals(async (received) => ends.push(received));
  onTestFinished(stop);
  const before = process.listenerCount(signal);
  process.emit(signal, signal);
  expect([ends, exit.mock.calls]).toEqual([[signal], []]);
  expect(() => process.emit(signal, signal)).toThrow('exited');
  expect([ends, exit.mock.calls]).toEqual([[signal], [[code]]]);
  expect(exitCodeOf(signal)).toBe(code);
  stop();
  expect(process.listenerCount(signal)).toBe(before - 1);
});

it.each([
  ['has ended', 'resolve'],
  ['has failed', 'reject'],
] as const)('the process ends 2 s after its work %s, though not all is written', async (_, how) => {
  const exit = catchExit();
  let work = { resolve: () => {}, reject: () => {} };
  const ended = new Promise<void>((resolve, reject) => (work = { resolve, reject }));
  const stop = onEndingSignals(() => ended);
  process.emit('SIGTERM', 'SIGTERM');
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  expect(exit.mock.calls).toEqual([]);
  work[how]();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(exit.mock.calls).toEqual([]);
  expect(() => vi.advanceTimersByTime(1)).toThrow('exited');
  expect(exit.mock.calls).toEqual([[143]]);
});

/** Ends by an error instead: this process continues. */
function catchExit() {
  const onExit = process.listeners('exit');
  onTestFinished(() => {
    for (const listener of process.listeners('exit'))
      if (!onExit.includes(listener)) process.off('exit', listener);
  });
  return vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exited');
  });
}
