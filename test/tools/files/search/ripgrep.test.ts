import { expect, it } from 'vitest';
import { runRipgrep } from '../../../../src/tools/files/search/ripgrep.js';

it('leaves the event loop a turn after each 64 KiB of output', async () => {
  const turns = [0];
  const nextTurn = (): void => {
    turns.push(0);
    waiting = setImmediate(nextTurn);
  };
  let waiting = setImmediate(nextTurn);
  await runRipgrep({
    args: ['--regexp=x', '--', '-'],
    cwd: '/',
    separator: '\n',
    input: `${'x'.repeat(99)}\n`.repeat(100_000),
    signal: new AbortController().signal,
    onRecord: (record) => turns.push((turns.pop() ?? 0) + record.length + 1) > 0,
  });
  clearImmediate(waiting);
  expect(turns.reduce((sum, bytes) => sum + bytes, 0)).toBe(10_000_000);
  expect(Math.max(...turns)).toBeLessThanOrEqual(2 * 64 * 1024);
});
