import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../../src/machines/agent/agent.js';
import type { AgentEvent } from '../../../src/machines/agent/agent-types.js';
import { taskMachine } from '../../../src/machines/task/task.js';
import type { TaskEvent } from '../../../src/machines/task/task-setup.js';
import { play } from '../../support/explore-steps.js';
import { agentId, childId, taskId, taskOf } from '../samples.js';

const agent = agentMachine.provide({ actions: { tellParent: () => {} } });
const task = taskMachine.provide({ actions: { tellParent: () => {} } });
const rest = { status: 'completed', result: 'Ready.' } as const;

/** A teammate whose first turn ends with a text. */
const turn: readonly AgentEvent[] = [
  { type: 'prepared', drained: 1, hasContent: true },
  { type: 'sample.done', text: 'Ready.' },
];
const mail: AgentEvent = { type: 'inbox.arrived', isPrompt: false };

function runAgent(events: readonly AgentEvent[], tellsRest = true) {
  const input = { agentId, taskId, inbox: 1, staysOpen: true, tellsRest, maxTurns: undefined };
  return play(agent, input, events).did.filter(([name]) => name === 'tellParent');
}

describe('an agent that stays', () => {
  it('tells its task when it rests and how its turn ended, and before it goes on', () => {
    expect(runAgent(turn)).toEqual([['tellParent', { type: 'work.rested', rest }]]);
    expect(runAgent([...turn, mail])).toEqual([['tellParent', { type: 'work.woke' }]]);
    expect(runAgent([...turn, { type: 'inbox.closed' }])).toEqual([
      ['tellParent', { type: 'work.woke' }],
    ]);
  });

  it('does not rest while mail waits, nor tells of it where nobody waits', () => {
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
const rested: TaskEvent = { type: 'work.rested', rest };
const childRests = (isResting: boolean): TaskEvent => ({
  type: 'child.resting',
  id: childId,
  isResting,
  ...(isResting ? { rest } : {}),
});

const runTask = (...events: readonly TaskEvent[]) =>
  play(task, taskOf(taskId, { kind: 'in_process_teammate' }), events).did;
/** It is written down, then told. */
const told = (isResting: boolean, news: object = {}) =>
  [
    ['record', { status: 'running' }],
    ['tellParent', { type: 'child.resting', id: taskId, isResting, ...news }],
  ] as const;

describe('a task whose work rests', () => {
  it('tells its owner, once, and when it goes on', () => {
    expect(runTask(start, rested)).toEqual(told(true, { rest }));
    expect(runTask(start, rested, rested)).toEqual([]);
    expect(runTask(start, rested, { type: 'work.woke' })).toEqual(told(false));
  });

  it('does not rest while a child works, and is told first what the child came to', () => {
    expect(runTask(start, spawn, rested)).toEqual([]);
    expect(runTask(start, spawn, rested, childRests(true))).toEqual([
      ['to work', { type: 'teammate.rested', id: childId, rest }],
      ['to work', { type: 'children.changed', holding: 0 }],
    ]);
    const isBack = [childRests(true), { type: 'work.woke' }, rested] as const;
    expect(runTask(start, spawn, rested, ...isBack)).toEqual(told(true, { rest }));
  });

  it('wakes with its child, whose rest is no news a second time', () => {
    const asleep = [start, spawn, childRests(true), rested] as const;
    expect(runTask(...asleep, childRests(false))).toEqual([
      ['to work', { type: 'children.changed', holding: 1 }],
      ...told(false),
    ]);
    const again: TaskEvent = { type: 'child.resting', id: childId, isResting: true };
    expect(runTask(...asleep, childRests(false), again)).toEqual([
      ['to work', { type: 'children.changed', holding: 0 }],
      ...told(true),
    ]);
  });

  it('does not hear of a child that it does not have', () => {
    expect(runTask(start, childRests(true))).toEqual([]);
  });
});
