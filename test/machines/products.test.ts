import { describe, expect, it } from 'vitest';
import { setup, type EventObject, type SnapshotFrom } from 'xstate';
import { agentMachine } from '../../src/machines/agent/agent.js';
import { permissionDeskMachine } from '../../src/machines/approval/permission-desk.js';
import { permissionRequestMachine } from '../../src/machines/approval/permission-request.js';
import { taskMachine } from '../../src/machines/task/task.js';
import { toolCallMachine } from '../../src/machines/agent/tool-call-statechart.js';
import type { ScheduledCall } from '../../src/machines/agent/tool-schedule.js';
import type { Draft, Product, World } from '../support/explore-world.js';
import { exploreProduct } from '../support/product-explorer.js';
import { agentId, askFrom, childId, requestId, taskId, taskOf } from './samples.js';

const silent = { actions: { tellParent: () => {} } };
const task = taskMachine.provide(silent);
const desk = permissionDeskMachine.provide(silent);
const agent = agentMachine.provide(silent);

// events of several machines, which an `EventObject` alone does not describe
const spawn: EventObject & Record<string, unknown> = { type: 'task.spawn', task: taskOf(childId) };
const kill: EventObject & Record<string, unknown> = { type: 'task.kill', reason: 'killed' };
const abort: EventObject & Record<string, unknown> = {
  type: 'call.cancel',
  reason: 'user_interrupted',
};

/** A work that ends at any time, also after it was asked to stop. */
const work = setup({
  types: { events: {} as EventObject, output: {} as { status: string; result: string } },
  actions: { run: () => {} },
}).createMachine({
  id: 'work',
  initial: 'running',
  states: {
    running: { entry: 'run', on: { 'work.finished': 'done', 'work.force': 'done' } },
    done: { type: 'final' },
  },
  output: { status: 'completed', result: 'ok' },
});

const valueOf = ({ nodes }: World, path: string): unknown => nodes[path]?.value;
const isActive = ({ nodes }: World, path: string): boolean => nodes[path]?.status === 'active';
const countOf = ({ notes }: World, note: string): number => Number(notes[note] ?? 0);

/** Instances that were ended from outside, before they were done. */
const tornOff = ({ notes }: World) => (notes['torn'] ?? []) as readonly string[]; // the explorer's

function count({ notes }: Draft, note: string): void {
  notes[note] = Number(notes[note] ?? 0) + 1;
}

/** The first of the sentences that is not true. */
function firstUntrue(claims: Readonly<Record<string, boolean>>): string | undefined {
  return Object.keys(claims).find((claim) => claims[claim] !== true);
}

describe('an ask that climbs two tasks to a desk with two approvers, and an asker that is aborted', () => {
  const asker = `top/${childId}/work`;
  const request = `desk/${requestId}`;
  const answerOf = (by: string) => ({
    type: 'desk.answer',
    requestId,
    answerId: by,
    answered: { by, answer: { behavior: by === 'ann' ? 'allow' : 'deny' }, at: 1 },
  });
  const replies = ['accepted', 'already_decided', 'cancelled', 'unknown'];

  const product: Product = {
    begin(create) {
      create('desk', desk, undefined);
      create('top', task, taskOf(taskId));
    },
    external: [
      ['owner', 'top', { type: 'task.start' }, spawn],
      ['ann', 'desk', answerOf('ann')],
      ['bob', 'desk', answerOf('bob')],
      ['starter', asker, { type: 'call.start' }],
      ['aborter', asker, abort],
    ],
    machineOf: (src, path) => {
      if (src === 'permissionRequest') return permissionRequestMachine;
      if (src === 'local_agent') return task;
      return path === asker ? toolCallMachine : work;
    },
    perform(draft, path, { type, params }) {
      const effect = (...alternatives: EventObject[]) =>
        draft.send(`${type} of ${path}`, path, alternatives);
      switch (type) {
        case 'validate':
          return effect({ type: 'call.validated' });
        case 'decide':
          return effect({ type: 'call.ask', request: askFrom('work') } as EventObject);
        case 'applyAnswer':
          count(draft, 'answers applied');
          return effect({ type: 'call.allowed' }, {
            type: 'call.refused',
            isError: true,
          } as EventObject);
        case 'execute':
          return effect({ type: 'call.executed', isError: false } as EventObject);
        case 'recordCancelled':
          return effect({ type: 'call.recorded' });
        case 'evaluate':
          return effect({ type: 'ask.evaluated' });
        case 'persist':
          return effect({ type: 'ask.persisted' });
        case 'reply': {
          const { answerId, receipt } = params as { answerId: string; receipt: { status: string } };
          count(draft, `${answerId} ${receipt.status}`);
          if (receipt.status === 'accepted') count(draft, 'accepted');
          return;
        }
        case 'tellParent': {
          const message = params as EventObject; // every message is an event
          if (message.type === 'call.settled') count(draft, 'settled');
          if (path === 'desk') count(draft, 'decisions');
          if (path === 'desk') draft.send('desk', 'top', [message]);
          if (path === 'top') draft.send('top', 'desk', [message]);
        }
      }
    },
    judge(world, isEnd) {
      const receipts = (by: string) =>
        replies.reduce((sum, status) => sum + countOf(world, `${by} ${status}`), 0);
      const always = {
        'at most one decision': countOf(world, 'decisions') <= 1,
        'at most one answer is applied': countOf(world, 'answers applied') <= 1,
        'at most one answer is accepted': countOf(world, 'accepted') <= 1,
        'at most one receipt each': receipts('ann') <= 1 && receipts('bob') <= 1,
        'the asker settles at most once': countOf(world, 'settled') <= 1,
        'nothing is torn off': tornOff(world).length === 0,
      };
      if (!isEnd) return firstUntrue(always);
      const contexts = ['desk', 'top', `top/${childId}`].map((path) => world.nodes[path]?.context);
      return firstUntrue({
        ...always,
        'a receipt each': receipts('ann') === 1 && receipts('bob') === 1,
        'no ask stays open when its asker has settled': contexts.every(
          (context) =>
            countOf(world, 'settled') === 0 ||
            Object.keys(context?.openRequests ?? {}).length === 0,
        ),
        'the asker settles, or waits for an answer': isSettledOrWaits(world),
        'the request has ended, or waits for an answer':
          !isActive(world, request) || valueOf(world, request) === 'waiting',
      });
    },
  };

  /** Both answers may come before the ask is there; then it waits, and that is no deadlock. */
  function isSettledOrWaits(world: World): boolean {
    if (countOf(world, 'settled') === 1) return true;
    const unknown = countOf(world, 'ann unknown') + countOf(world, 'bob unknown');
    return unknown === 2 && valueOf(world, request) === 'waiting';
  }

  it('has one decision and one receipt for each approver in every order', () => {
    const { ends } = exploreProduct('ask', product);
    expect(ends).toBeGreaterThan(0);
  });
});

describe('a task with a child task that is killed, and forced at the deadline', () => {
  const child = `task/${childId}`;

  const product: Product = {
    begin: (create) => create('task', task, taskOf(taskId)),
    external: [
      ['owner', 'task', { type: 'task.start' }],
      ['agent', 'task', spawn],
      ['user', 'task', kill],
    ],
    machineOf: (src) => (src === 'local_agent' ? task : work),
    perform(draft, path, { type }) {
      if (type === 'run') draft.send('world', path, [{ type: 'work.finished' }]);
      if (type === 'armDeadline') draft.send('timer', path, [{ type: 'task.force' }]);
      if (type === 'sweep') {
        count(draft, `${path} swept`);
        if (path === 'task' && draft.nodes[child]?.status === 'active') count(draft, 'swept early');
        draft.send('sweeper', path, [{ type: 'task.swept' }]);
      }
    },
    judge(world, isEnd) {
      const always = {
        'the child does not outlive its parent': isActive(world, 'task') || !isActive(world, child),
        'nothing is torn off': tornOff(world).length === 0,
        'a task is swept after its children': countOf(world, 'swept early') === 0,
        'a task is swept at most once':
          countOf(world, 'task swept') <= 1 && countOf(world, `${child} swept`) <= 1,
      };
      if (!isEnd) return firstUntrue(always);
      const isOver = (path: string) =>
        ['completed', 'failed', 'killed'].includes(String(valueOf(world, path)));
      return firstUntrue({
        ...always,
        'the task is over': isOver('task'),
        'the child is over, or never was': world.nodes[child] === undefined || isOver(child),
      });
    },
  };

  it('ends after its child, with one terminal state each, in every order', () => {
    const { ends } = exploreProduct('kill', product);
    expect(ends).toBeGreaterThan(0);
  });
});

describe('a task with a child that is waited for, sent to the background, and ends', () => {
  const child = `task/${childId}`;
  const waited: EventObject & Record<string, unknown> = {
    type: 'task.spawn',
    task: taskOf(childId, { isBackgrounded: false }),
  };
  const background: EventObject = { type: 'task.background' };
  /** The work of the parent, which counts its notifications. */
  const owner = setup({
    types: { events: {} as EventObject },
    actions: { noticed: () => {} },
  }).createMachine({ id: 'work', on: { 'task.notification': { actions: 'noticed' } } });

  const product: Product = {
    begin: (create) => create('task', task, taskOf(taskId)),
    external: [
      ['owner', 'task', { type: 'task.start' }, waited],
      ['person', child, background, background],
    ],
    machineOf: (src, path) => {
      if (src === 'local_agent') return task;
      return path === 'task/work' ? owner : work;
    },
    perform(draft, path, { type }) {
      if (type === 'run') draft.send('world', path, [{ type: 'work.finished' }]);
      if (type === 'sweep') draft.send('sweeper', path, [{ type: 'task.swept' }]);
      if (type === 'noticed') count(draft, 'notifications');
    },
    judge(world, isEnd) {
      const wentAway = world.nodes[child]?.context.isBackgrounded === true;
      const notifications = countOf(world, 'notifications');
      const always = {
        'a notification only of a task that nobody waits for': notifications <= Number(wentAway),
      };
      if (!isEnd) return firstUntrue(always);
      return firstUntrue({
        ...always,
        'the child is over': valueOf(world, child) === 'completed',
        'its end is reported once: to the waiting parent, or by a notification':
          notifications === Number(wentAway),
      });
    },
  };

  it('has its end told exactly once in every order', () => {
    expect(exploreProduct('background', product).ends).toBeGreaterThan(1);
  });
});

describe('an agent with two tool calls that is interrupted or stopped', () => {
  const use = (id: string, isSafe: boolean, isShell: boolean) =>
    ({ type: 'tool.use', call: { id, isSafe, isShell, onInterrupt: 'block' } }) as EventObject;
  const isUnderWay = (world: World, id: string) =>
    ['validating', 'executing'].includes(String(valueOf(world, `agent/${id}`))) ||
    typeof valueOf(world, `agent/${id}`) === 'object'; // deciding

  const productOf = (
    uses: readonly EventObject[],
    outside: EventObject,
    staysOpen: boolean,
  ): Product => ({
    begin(create) {
      create('agent', agent, { agentId, taskId, inbox: 1, staysOpen, maxTurns: 2 });
      for (const id of ['a', 'b']) create(`agent/${id}`, toolCallMachine, { id });
    },
    external: [['user', 'agent', outside]],
    machineOf: () => toolCallMachine,
    perform(draft, path, { type, params }) {
      const effect = (...items: EventObject[][]) => draft.send(type, path, ...items);
      switch (type) {
        case 'prepare': {
          const drained = (params as { turn: number }).turn === 0 ? 1 : 0;
          return effect([{ type: 'prepared', drained, hasContent: true } as EventObject]);
        }
        case 'sample': {
          const isFirst = (params as { turn: number }).turn === 1;
          const ends = [
            { type: 'sample.done', text: '' },
            { type: 'sample.done', text: '', continues: 'cut' } as EventObject,
            { type: 'sample.failed', failure: { code: 'X', message: 'x' } },
          ];
          return effect(...(isFirst ? uses.map((one) => [one]) : []), ends);
        }
        case 'abortSampling':
          if (draft.edges['sample>agent'] !== undefined)
            draft.edges['sample>agent'] = [
              [
                {
                  type: 'sample.failed',
                  failure: { code: 'X', message: 'aborted' },
                } as EventObject,
              ],
            ];
          return;
        case 'startCall':
        case 'cancelCall':
          return tellCall(draft, type, params as { id: string });
        case 'validate':
          return draft.send(`effect of ${path}`, path, [{ type: 'call.validated' }]);
        case 'decide':
          return draft.send(`effect of ${path}`, path, [
            { type: 'call.allowed' },
            { type: 'call.refused', isError: true, endsTurn: 'refused' } as EventObject,
          ]);
        case 'execute':
          return draft.send(
            `effect of ${path}`,
            path,
            [true, false].map((isError) => ({ type: 'call.executed', isError })),
          );
        case 'recordCancelled':
          return draft.send(`effect of ${path}`, path, [{ type: 'call.recorded' }]);
        case 'tellParent':
          if ((params as EventObject).type === 'call.settled') count(draft, `${path} settled`);
          return;
        case 'publishResult':
          draft.notes['published'] =
            String(draft.notes['published'] ?? '') + (params as { id: string }).id;
      }
    },
    judge(world, isEnd) {
      const published = String(world.notes['published'] ?? '');
      const isAlone = uses.every(
        (one) => (one as never as { call: { isSafe: boolean } }).call.isSafe,
      );
      const always = {
        'nothing runs beside an unsafe call':
          isAlone || !(isUnderWay(world, 'a') && isUnderWay(world, 'b')),
        'results are handed on in the order of the request': 'ab'.startsWith(published),
        'a call settles at most once':
          countOf(world, 'agent/a settled') <= 1 && countOf(world, 'agent/b settled') <= 1,
        'no call that got an event is torn off': tornOff(world).every(
          (path) => countOf(world, `${path} used`) === 0,
        ),
      };
      if (!isEnd) return firstUntrue(always);
      const made = ['agent/a', 'agent/b'].filter((path) => countOf(world, `${path} used`) > 0);
      const state = JSON.stringify(valueOf(world, 'agent'));
      return firstUntrue({
        ...always,
        'every call has settled': made.every((path) => countOf(world, `${path} settled`) === 1),
        'every result was handed on': published.length === made.length,
        'every call has ended': made.every((path) => valueOf(world, path) === 'completed'),
        'no tool use is left': !callsOf(world).some(({ phase }) => phase !== 'yielded'),
        'the agent is idle': state === (isDone(world) ? '"done"' : '{"living":{"idle":"open"}}'),
        'the agent is done when it is to be': isDone(world) || staysOpen,
      });
    },
  });
  /** The agent's effects: what it tells a call. */
  function tellCall(draft: Draft, type: string, { id, ...params }: { readonly id: string }): void {
    count(draft, `agent/${id} used`);
    const event =
      type === 'startCall' ? { type: 'call.start' } : { type: 'call.cancel', ...params };
    draft.send('agent', `agent/${id}`, [event]);
  }
  const callsOf = ({ nodes }: World): readonly ScheduledCall[] =>
    (nodes['agent'] as SnapshotFrom<typeof agent>).context.batch.calls;
  const isDone = ({ nodes }: World): boolean => nodes['agent']?.status === 'done';

  it.each([
    ['two unsafe shells', use('a', false, true), use('b', false, true)],
    ['a safe and an unsafe call', use('a', true, false), use('b', false, false)],
    ['two safe calls', use('a', true, false), use('b', true, false)],
  ] as const)('hands each result on once, in order: %s', (name, a, b) => {
    const stop = { type: 'work.stop', reason: 'killed' };
    const interrupt = { type: 'agent.interrupt' };
    expect(exploreProduct(`${name}, stop`, productOf([a, b], stop, false)).ends).toBeGreaterThan(0);
    expect(
      exploreProduct(`${name}, interrupt`, productOf([a, b], interrupt, true)).ends,
    ).toBeGreaterThan(0);
  });
});
