import { expect, it, onTestFinished, vi } from 'vitest';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../../src/cli/signals.js';

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends with %i, at once if it comes a second time', (signal, code) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exited'); // this process goes on
  });
  const ends: EndingSignal[] = [];
  const stop = onEndingSignals((received) => ends.push(received));
  onTestFinished(() => {
    stop();
    exit.mockRestore();
  });
  const before = process.listenerCount(signal);
  process.emit(signal, signal);
  expect([ends, exit.mock.calls]).toEqual([[signal], []]);
  expect(() => process.emit(signal, signal)).toThrow('exited');
  expect([ends, exit.mock.calls]).toEqual([[signal], [[code]]]);
  expect(exitCodeOf(signal)).toBe(code);
  stop();
  expect(process.listenerCount(signal)).toBe(before - 1);
});
