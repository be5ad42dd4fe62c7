import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TaskOutputTool } from '../../../src/tools/tasks/task-output.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import type { TaskCapabilities } from '../../../src/tools/capabilities/task-capabilities.js';
import { createTaskWorld } from './task-world.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const SHELL = 'b00000001';
const COMMAND_RESULT = {
  exitCode: 2,
  signal: null,
  stdout: '',
  stderr: '',
  isTimedOut: false,
  isAborted: false,
  isTruncated: false,
  durationMs: 5,
  cwd: '/w',
  startedAt: 1,
  endedAt: 6,
  outputBytes: 0,
};

/** Tasks, and TaskOutput called beside them. */
function createReader() {
  const world = createTaskWorld();
  const context = createContext('/w', { tasks: { control: world.tasks } });
  const read = (input: object) => runText(TaskOutputTool, input, context);
  return { ...world, read };
}

describe('TaskOutput', () => {
  it('waits for the end, and shows the exit code and the output', async () => {
    const { add, read, settle } = createReader();
    add(SHELL, { description: 'npm test', output: '1 failed\n' });
    const text = read({ task_id: SHELL });
    settle(SHELL, { status: 'completed', result: COMMAND_RESULT });
    expect(await text).toBe(
      'Task b00000001 (npm test): completed\nExit code: 2\nOutput:\n1 failed',
    );
  });

  it.each([
    [{ status: 'completed', result: 'All well.' }, 'completed\nResult:\nAll well.\n(no output)'],
    [
      { status: 'failed', failure: { code: 'X', message: 'out of turns' } },
      'failed, out of turns\n(no output)',
    ],
    [{ status: 'killed', reason: 'too dear' }, 'failed, it was killed: too dear\n(no output)'],
    [
      { status: 'completed', result: { ...COMMAND_RESULT, isTimedOut: true } },
      'completed, it timed out after 5 ms and was ended\n(no output)',
    ],
  ] as const)('reports the end %j', async (outcome, text) => {
    const { add, read } = createReader();
    add('a00000001', { description: 'look', status: outcome.status, outcome });
    expect(await read({ task_id: 'a00000001' })).toBe(`Task a00000001 (look): ${text}`);
  });

  it('does not say twice what an agent wrote last', async () => {
    const { add, read } = createReader();
    const outcome = { status: 'completed', result: 'All well.' } as const;
    add('a00000001', {
      description: 'look',
      status: 'completed',
      outcome,
      output: 'Hm. All well.\n',
    });
    expect(await read({ task_id: 'a00000001' })).toBe(
      'Task a00000001 (look): completed\nOutput:\nHm. All well.',
    );
  });

  it('answers at once with block: false', async () => {
    const { add, read } = createReader();
    add(SHELL, { description: 'serve', output: 'ready' });
    expect(await read({ task_id: SHELL, block: false })).toBe(
      'Task b00000001 (serve): running\nOutput:\nready',
    );
  });

  it('says that a task still runs when the time is up', async () => {
    const { add, read } = createReader();
    add(SHELL, { description: 'serve', status: 'pending' });
    expect(await read({ task_id: SHELL, timeout: 1 })).toBe(
      'Task b00000001 (serve): running\nIt still runs after a wait of 1 ms.\n(no output)',
    );
  });

  it('gives up when it is aborted, and leaves the task and no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { add, kills, tasks } = createTaskWorld();
    const abortController = new AbortController();
    const waitFor: TaskCapabilities['waitFor'] = (id, signal) => {
      const waiting = tasks.waitFor(id, signal);
      expect(vi.getTimerCount()).toBe(1);
      abortController.abort(new Error('a new message'));
      return waiting;
    };
    const context = createContext('/w', {
      call: { abortController },
      tasks: { control: { ...tasks, waitFor } },
    });
    add(SHELL);
    const text = runText(TaskOutputTool, { task_id: SHELL, timeout: 600_000 }, context);
    await expect(text).rejects.toThrow('a new message');
    expect(vi.getTimerCount()).toBe(0);
    expect(kills).toEqual([]);
  });

  it('shows the last 30,000 characters, and never half a character', async () => {
    const { add, read } = createReader();
    const outcome = { status: 'completed', result: COMMAND_RESULT } as const;
    const output = `ab😀${'x'.repeat(29_999)}`;
    add(SHELL, { description: 'long', status: 'completed', outcome, output });
    expect(await read({ task_id: SHELL })).toBe(
      [
        'Task b00000001 (long): completed',
        'Exit code: 2',
        '[The first 4 characters are left out. The whole output is in /session/output/b00000001.]',
        `Output:\n${'x'.repeat(29_999)}`,
      ].join('\n'),
    );
  });

  it.each(['t1', 'b00000009', '__proto__', 'constructor', 'b0000000\0'])(
    'has no task %j, and lists those there are',
    async (task_id) => {
      const { add, read } = createReader();
      await expect(read({ task_id })).rejects.toThrow(
        /^TaskOutput: no task has .*There are no tasks\.$/,
      );
      add(SHELL);
      const message = `TaskOutput: no task has the ID ${JSON.stringify(task_id)}. There are: b00000001 (running).`;
      await expect(read({ task_id })).rejects.toThrow(message);
    },
  );

  it.each([
    ['valid input', '{"task_id": "t1", "block": true, "timeout": 1000}', true],
    ['number for string', '{"task_id": 7}', false],
    ['timeout overflows to Infinity', '{"task_id": "t","timeout":1e999}', false],
    ['the longest timeout', '{"task_id": "t","timeout":600000}', true],
    ['above the longest timeout', '{"task_id": "t","timeout":600001}', false],
    ['negative timeout', '{"task_id": "t","timeout":-1}', false],
    ['string for boolean', '{"task_id": "t","block":"true"}', false],
    ['empty id', '{"task_id": ""}', false],
    ['task_id missing', '{}', false],
  ])('%s: %s', async (_why, json, isAccepted) => {
    const { ok } = await parseInput(TaskOutputTool, JSON.parse(json));
    expect(ok).toBe(isAccepted);
  });
});
