import { expect, it, onTestFinished, vi } from 'vitest';
import { followStatusLine } from '../../../src/cli/interactive/follow-status-line.js';
import { createStatusLine } from '../../../src/cli/interactive/status-line.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';

type Session = Parameters<ReturnType<typeof createStatusLine>['update']>[0];

const sessionWith = (tokens: number): Session =>
  ({
    sessionId: 'id',
    directory: '/home/id',
    contextUsage: () => ({ model: 'claude-haiku-5-5', tokens, contextWindow: 1_000 }),
    permissions: getEmptyToolPermissionContext,
    usage: () => ({ total: { costUsd: 0.5 } }),
  }) as unknown as Session; // the facts that the line reads

const COMMAND =
  'jq=$(cat); echo "$jq" | tr "," "\\n" | grep used_perc; printf "\\033[32mgreen\\033[0m\\n"';

it('the line of a status command is printed if it is another one, without colors', async () => {
  const shown: string[] = [];
  let finished: (() => void) | undefined;
  const { runStatusLine } = await import('../../../src/settings/programs/run-status-line.js');
  const line = createStatusLine(
    { command: COMMAND, padding: 2 },
    {
      cwd: process.cwd(),
      env: process.env,
      style: undefined,
      print: (text) => void shown.push(text),
      async run(given) {
        const text = await runStatusLine(given);
        setImmediate(() => finished?.());
        return text;
      },
    },
  );
  const update = (tokens: number): Promise<void> =>
    new Promise((resolve) => {
      finished = resolve;
      line.update(sessionWith(tokens));
    });
  await update(100);
  await update(100);
  await update(200);
  expect(shown).toEqual(['  "used_percentage":10\n  green', '  "used_percentage":20\n  green']);
});

it('one status command runs at a time, and the newest state comes last', async () => {
  const asked: unknown[] = [];
  const waiting: (() => void)[] = [];
  const line = createStatusLine(
    { command: 'x', padding: 0 },
    {
      cwd: '/',
      env: {},
      style: undefined,
      print: () => {},
      run: ({ facts }) => {
        asked.push(facts['context_window']);
        return new Promise((resolve) => waiting.push(() => resolve('')));
      },
    },
  );
  for (const tokens of [1, 2, 3]) line.update(sessionWith(tokens));
  waiting[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toMatchObject([{ total_input_tokens: 1 }, { total_input_tokens: 3 }]);
});

it('a status command with a refreshInterval runs again while the session does nothing', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const line = createStatusLine(
    { command: 'date', padding: 0, refreshInterval: 2 },
    { cwd: '/', env: {}, style: undefined, print: () => {}, run: async () => `run ${(runs += 1)}` },
  );
  line.update(sessionWith(100));
  await vi.advanceTimersByTimeAsync(4_100);
  expect(runs).toBe(3);
});

it('the line follows the setting: another command, or none', async () => {
  const shown: (readonly string[] | undefined)[] = [];
  let onShown = (): void => {};
  const nextShown = (): Promise<void> => new Promise((resolve) => void (onShown = resolve));
  const followed = { keyHelper: {}, statusLine: { type: 'command', command: 'echo one' } };
  const line = followStatusLine(
    { followed, options: { env: process.env } } as unknown as Parameters<
      typeof followStatusLine
    >[0],
    process.cwd(),
    {
      isLive: true,
      print() {},
      show({ ownStatus }) {
        shown.push(ownStatus);
        onShown();
      },
    },
  );
  const first = nextShown();
  line.update(sessionWith(1));
  await first;
  followed.statusLine = { type: 'command', command: 'echo two' };
  const second = nextShown();
  line.update(sessionWith(1));
  await second;
  followed.statusLine = { type: 'none', command: '' };
  line.update(sessionWith(1));
  Object.assign(followed, { statusLine: undefined });
  line.update(sessionWith(1));
  expect(shown).toEqual([['one'], ['two'], [], undefined]);
});
