import { expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { NO_USAGE } from '../../../src/core/tasks/usage.js';
import { describeTasks } from '../../../src/cli/interactive/task-table.js';

type Session = Parameters<typeof describeTasks>[0];

const AT = 1_000_000;

function task(id: string, fields: object) {
  return { id, type: 'local_agent', status: 'completed', startTime: AT, ...fields };
}

/** A session with these tasks; each agent has used 150 tokens. */
function session(tasks: readonly ReturnType<typeof task>[]): Session {
  const usage = { ...NO_USAGE, input_tokens: 100, output_tokens: 50 };
  return {
    tasks: () => tasks,
    task: (id: string) => ({
      usage: () => ({
        total: {
          usage: tasks.find((one) => one.id === id)?.type === 'local_agent' ? usage : NO_USAGE,
        },
      }),
    }),
  } as unknown as Pick<SessionHandle, 'task' | 'tasks'>; // what the table reads of it
}

it('the tasks of a session are a table, the live ones first', async () => {
  const tasks = [
    task('s1', { type: 'session', description: 'The session' }),
    task('a1', { description: 'Read\nthe parser', endTime: AT + 61_000 }),
    task('b1', { type: 'local_bash', description: 'Look', endTime: AT, isBackgrounded: false }),
    task('b2', {
      type: 'local_bash',
      status: 'running',
      description: 'npm test',
      isBackgrounded: true,
    }),
    task('a2', { status: 'running', description: 'Review' }),
  ];
  const now = AT + 5_000;
  expect((await describeTasks(session(tasks), { width: 80, now })).split('\n')).toEqual([
    'task     state              time   tokens  what it does     id',
    'command  in the background  5s             npm test         b2',
    'agent    running            5s     150     Review           a2',
    'agent    completed          1m 1s  150     Read the parser  a1',
  ]);
  expect((await describeTasks(session(tasks), { width: 50, now })).split('\n')[1]).toBe(
    'command  in the background  npm test         b2',
  );
});

it('a session without tasks says so', async () => {
  expect(await describeTasks(session([]), { width: 80, now: AT })).toBe('There are no tasks.');
});
