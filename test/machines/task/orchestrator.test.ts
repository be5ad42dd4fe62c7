import { describe, expect, it } from 'vitest';
import { createActor, fromCallback } from 'xstate';
import {
  orchestratorMachine as machine,
  type OrchestratorEvent,
} from '../../../src/machines/task/orchestrator.js';
import { supervisorMachine } from '../../../src/machines/task/supervisor.js';
import { play } from '../../support/explore-steps.js';
import { allowed, askFrom, requestId, taskId, taskOf } from '../samples.js';

const session = taskOf(taskId, { kind: 'session', depth: 0 });
const open: OrchestratorEvent = { type: 'session.open', task: session };
const close: OrchestratorEvent = { type: 'orchestrator.close', reason: 'closed' };
const ended: OrchestratorEvent = {
  type: 'child.ended',
  from: 'sup-1',
  id: taskId,
  kind: 'session',
  isBackgrounded: false,
  outcome: { status: 'completed', result: 'ok' },
};
const cancel = { type: 'permission.cancel', requestId } as const;
const run = (events: readonly OrchestratorEvent[], since = events.length - 1) =>
  play(machine, undefined, events, since);

describe('orchestratorMachine', () => {
  it('starts sessions below supervisors', () => {
    expect(run([open]).did).toEqual([
      ['spawn sup-1', { id: 'sup-1' }],
      ['to sup-1', { type: 'task.spawn', task: session }],
    ]);
    expect(run([open, open]).did).toEqual([['to sup-1', { type: 'task.spawn', task: session }]]);
  });

  it('has at most 25 sessions below a supervisor, and none without sessions', () => {
    const many = Array.from({ length: 30 }, () => open);
    const { supervisors } = run(many).snapshot.context;
    expect(supervisors).toEqual({
      'sup-1': { live: 25, holding: 0 },
      'sup-2': { live: 5, holding: 0 },
    });
    expect(run([open, open, ended]).did).toEqual([]);
    expect(run([open, ended]).did).toEqual([['stop sup-1', undefined]]);
  });

  it('ends its sessions before it closes', () => {
    expect(run([open, close]).did).toEqual([['to sup-1', { type: 'task.kill', reason: 'closed' }]]);
    expect(run([open, close]).snapshot.value).toBe('closing');
    expect(run([open, close, ended]).snapshot.status).toBe('done');
    expect(run([close]).snapshot.status).toBe('done');
  });

  it('starts its scheduler once, and none when it closes', () => {
    const schedule: OrchestratorEvent = { type: 'scheduler.open' };
    expect(run([schedule, schedule], 0).did).toEqual([['spawn scheduler', undefined]]);
    expect(run([open, close, schedule]).did).toEqual([]);
  });

  it('starts each server once, and ends them after its sessions', () => {
    const server: OrchestratorEvent = { type: 'mcp.open', server: 'files' };
    const gone: OrchestratorEvent = {
      type: 'xstate.done.actor.mcp:files',
      actorId: 'mcp:files',
      output: undefined,
    };
    expect(run([server, server], 0).did).toEqual([['spawn mcp:files', { server: 'files' }]]);
    expect(run([open, server, close]).did).toEqual([
      ['to sup-1', { type: 'task.kill', reason: 'closed' }],
    ]);
    expect(run([open, server, close, ended]).did).toEqual([
      ['stop sup-1', undefined],
      ['to mcp:files', { type: 'connection.close' }],
    ]);
    expect(run([open, server, close, ended]).snapshot.value).toBe('disconnecting');
    expect(run([open, server, close, ended, gone]).snapshot.status).toBe('done');
  });

  it('brings an ask to the desk with itself as a hop, and the decision back to the supervisor, once', () => {
    const path = [{ actor: 'orchestrator', verdict: 'passed on' as const, at: 1 }];
    expect(run([open, askFrom('sup-1')]).did).toEqual([['to desk', askFrom('sup-1', { path })]]);
    expect(run([open, askFrom('sup-1'), allowed(), allowed()], 2).did).toEqual([
      ['to sup-1', allowed()],
    ]);
  });

  it('withdraws an ask once', () => {
    expect(run([open, askFrom('sup-1'), cancel, cancel], 2).did).toEqual([['to desk', cancel]]);
  });

  it('continues when a session crashes, and withdraws its permission requests', () => {
    const crashing = fromCallback(({ sendBack, receive }) => {
      receive(({ type }) => {
        if (type !== 'task.start') return;
        sendBack(askFrom(taskId));
        throw new Error('boom');
      });
    });
    const root = createActor(
      machine.provide({
        actors: { supervisor: supervisorMachine.provide({ actors: { session: crashing } }) },
      }),
    ).start();
    root.send(open);
    const { status, context, children } = root.getSnapshot();
    expect([status, context]).toEqual([
      'active',
      { supervisors: {}, connections: {}, isScheduling: false, openRequests: {} },
    ]);
    expect(children.desk?.getSnapshot().context.openRequests).toEqual({});
    root.stop();
  });
});
