import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../../src/machines/agent/agent.js';
import type { AgentEvent } from '../../../src/machines/agent/agent-types.js';
import { taskMachine } from '../../../src/machines/task/task.js';
import type { TaskEvent } from '../../../src/machines/task/task-setup.js';
import { play } from '../../support/explore-steps.js';
import { agentId, childId, taskId, taskOf } from '../samples.js';

const agent = agentMachine.provide({ actions: { tellParent: () => {} } });
const task = taskMachine.provide({ actions: { tellParent: () => {} } });
const turnOutcome = { status: 'completed', result: 'Ready.' } as const;

/** A teammate whose first turn ends with a text. */
const turn: readonly AgentEvent[] = [
  { type: 'prepared', drained: 1, hasContent: true },
  { type: 'sample.done', text: 'Ready.' },
];
const mail: AgentEvent = { type: 'inbox.arrived', isPrompt: false };

function runAgent(events: readonly AgentEvent[], tellsIdle = true) {
  const input = { agentId, taskId, inbox: 1, staysOpen: true, tellsIdle, maxTurns: undefined };
  return play(agent, input, events).did.filter(([name]) => name === 'tellParent');
}

describe('an agent that stays', () => {
  it('tells its task that it is idle, with the turn outcome, and that it continues', () => {
    expect(runAgent(turn)).toEqual([['tellParent', { type: 'work.idle', turnOutcome }]]);
    expect(runAgent([...turn, mail])).toEqual([['tellParent', { type: 'work.woke' }]]);
    expect(runAgent([...turn, { type: 'inbox.closed' }])).toEqual([
      ['tellParent', { type: 'work.woke' }],
    ]);
  });

  it('is not idle while a message waits, and does not report it if nobody waits', () => {
    const failed: AgentEvent = { type: 'sample.failed', failure: { code: 'X', message: 'x' } };
    const [prepared] = turn as [AgentEvent, AgentEvent];
    expect(runAgent([prepared, mail, failed])).toEqual([]);
    expect(runAgent(turn, false)).toEqual([]);
  });
});

const start: TaskEvent = { type: 'task.start' };
const spawn: TaskEvent = {
  type: 'task.spawn',
  task: taskOf(childId, { kind: 'in_process_teammate' }),
};
const workIdle: TaskEvent = { type: 'work.idle', turnOutcome };
const childIdle = (isIdle: boolean): TaskEvent => ({
  type: 'child.idle',
  id: childId,
  isIdle,
  ...(isIdle ? { turnOutcome } : {}),
});

const runTask = (...events: readonly TaskEvent[]) =>
  play(task, taskOf(taskId, { kind: 'in_process_teammate' }), events).did;
/** The agent writes that it is idle, then reports it. */
const told = (isIdle: boolean, news: object = {}) =>
  [
    ['record', { status: 'running' }],
    ['tellParent', { type: 'child.idle', id: taskId, isIdle, ...news }],
  ] as const;

describe('a task with idle work', () => {
  it('tells its parent once, and again when it continues', () => {
    expect(runTask(start, workIdle)).toEqual(told(true, { turnOutcome }));
    expect(runTask(start, workIdle, workIdle)).toEqual([]);
    expect(runTask(start, workIdle, { type: 'work.woke' })).toEqual(told(false));
  });

  it('is not idle while a child works, and first gets the outcome of the child', () => {
    expect(runTask(start, spawn, workIdle)).toEqual([]);
    expect(runTask(start, spawn, workIdle, childIdle(true))).toEqual([
      ['to work', { type: 'teammate.idle', id: childId, turnOutcome }],
      ['to work', { type: 'children.changed', holding: 0 }],
    ]);
    const isBack = [childIdle(true), { type: 'work.woke' }, workIdle] as const;
    expect(runTask(start, spawn, workIdle, ...isBack)).toEqual(told(true, { turnOutcome }));
  });

  it('wakes with its child, whose outcome is sent once', () => {
    const asleep = [start, spawn, childIdle(true), workIdle] as const;
    expect(runTask(...asleep, childIdle(false))).toEqual([
      ['to work', { type: 'children.changed', holding: 1 }],
      ...told(false),
    ]);
    const again: TaskEvent = { type: 'child.idle', id: childId, isIdle: true };
    expect(runTask(...asleep, childIdle(false), again)).toEqual([
      ['to work', { type: 'children.changed', holding: 0 }],
      ...told(true),
    ]);
  });

  it('ignores an unknown child', () => {
    expect(runTask(start, childIdle(true))).toEqual([]);
  });
});
