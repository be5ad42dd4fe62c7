import { describe, expect, it } from 'vitest';
import {
  orchestratorMachine as machine,
  type OrchestratorEvent,
} from '../../../src/machines/task/orchestrator.js';
import { play } from '../../support/explore-steps.js';
import { allowed, askFrom, requestId, taskId, taskOf } from '../samples.js';

const session = taskOf(taskId, { kind: 'session', depth: 0 });
const open: OrchestratorEvent = { type: 'session.open', task: session };
const close: OrchestratorEvent = { type: 'orchestrator.close', reason: 'closed' };
const ended: OrchestratorEvent = {
  type: `xstate.done.actor.${taskId}`,
  actorId: taskId,
  output: { status: 'completed', result: 'ok' },
};
const crashed: OrchestratorEvent = {
  type: `xstate.error.actor.${taskId}`,
  actorId: taskId,
  error: new Error('boom'),
};
const cancel = { type: 'permission.cancel', requestId } as const;
const run = (events: readonly OrchestratorEvent[], since = events.length - 1) =>
  play(machine, undefined, events, since);

describe('orchestratorMachine', () => {
  it('starts sessions', () => {
    expect(run([open]).did).toEqual([
      [`spawn ${taskId}`, session],
      [`to ${taskId}`, { type: 'task.start' }],
    ]);
  });

  it('ends its sessions before it closes', () => {
    expect(run([open, close]).did).toEqual([
      [`to ${taskId}`, { type: 'task.kill', reason: 'closed' }],
    ]);
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
      [`to ${taskId}`, { type: 'task.kill', reason: 'closed' }],
    ]);
    expect(run([open, server, close, ended]).did).toEqual([
      [`stop ${taskId}`, undefined],
      ['to mcp:files', { type: 'connection.close' }],
    ]);
    expect(run([open, server, close, ended]).snapshot.value).toBe('disconnecting');
    expect(run([open, server, close, ended, gone]).snapshot.status).toBe('done');
  });

  it('brings an ask to the desk with itself as a hop, and the decision back to the session, once', () => {
    const path = [{ actor: 'orchestrator', verdict: 'passed on' as const, at: 1 }];
    expect(run([open, askFrom(taskId)]).did).toEqual([['to desk', askFrom(taskId, { path })]]);
    expect(run([open, askFrom(taskId), allowed(), allowed()], 2).did).toEqual([
      [`to ${taskId}`, allowed()],
    ]);
  });

  it('withdraws an ask once', () => {
    expect(run([open, askFrom(taskId), cancel, cancel], 2).did).toEqual([['to desk', cancel]]);
  });

  it('continues when a session crashes, and withdraws its permission requests', () => {
    const { snapshot, did } = run([open, askFrom(taskId), crashed]);
    expect(did).toEqual([
      ['to desk', cancel],
      [`stop ${taskId}`, undefined],
    ]);
    expect([snapshot.status, snapshot.context]).toEqual([
      'active',
      { sessions: [], connections: {}, isScheduling: false, openRequests: {} },
    ]);
  });
});
