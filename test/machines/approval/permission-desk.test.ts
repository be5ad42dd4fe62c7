import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { AnswerReceipt } from '../../../src/core/answer-receipt.js';
import {
  permissionDeskMachine,
  type PermissionDeskEvent,
} from '../../../src/machines/approval/permission-desk.js';
import { permissionRequestMachine } from '../../../src/machines/approval/permission-request.js';
import { play } from '../../support/explore-steps.js';
import { allowed, askFrom, otherRequestId, requestId } from '../samples.js';

const machine = permissionDeskMachine.provide({ actions: { tellParent: () => {} } });
const ask: PermissionDeskEvent = askFrom('s00000000');
const cancel: PermissionDeskEvent = { type: 'permission.cancel', requestId };
const answered = (by: string) => ({ by, answer: { behavior: 'allow' as const }, at: 2 });
const answer = (by: string): PermissionDeskEvent => ({
  type: 'desk.answer',
  requestId,
  answerId: `answer of ${by}`,
  answered: answered(by),
});
const ended = (output: object): PermissionDeskEvent =>
  ({
    type: `xstate.done.actor.${requestId}`,
    actorId: requestId,
    output,
  }) as PermissionDeskEvent; // outputs are written out below
const receipt = (by: string, what: AnswerReceipt) => [
  'reply',
  { requestId, answerId: `answer of ${by}`, receipt: what },
];

describe('permissionDeskMachine', () => {
  it('hands each permission request to its own actor, which gets the decision', () => {
    expect(play(machine, undefined, [ask, answer('ann')], 0).did).toEqual([
      [`spawn ${requestId}`, { requestId }],
      [
        `to ${requestId}`,
        { type: 'ask.answer', answerId: 'answer of ann', answered: answered('ann') },
      ],
    ]);
  });

  it('sends the decision down with itself as the last hop', () => {
    const { snapshot, did } = play(machine, undefined, [
      ask,
      answer('ann'),
      ended({ status: 'decided', receipts: 1, ...answered('ann') }),
    ]);
    const path = [{ actor: 'desk', verdict: 'allowed' as const, at: 2 }];
    expect(did).toEqual([
      ['tellParent', allowed({ by: 'ann', path })],
      [`stop ${requestId}`, undefined],
    ]);
    expect(snapshot.context).toEqual({
      openRequests: {},
      answers: {},
      ended: [{ requestId, by: 'ann' }],
    });
  });

  it('sends no decision for an ask that was withdrawn', () => {
    const { did } = play(
      machine,
      undefined,
      [ask, cancel, ended({ status: 'cancelled', receipts: 0 })],
      1,
    );
    expect(did).toEqual([
      [`to ${requestId}`, { type: 'ask.cancel' }],
      [`stop ${requestId}`, undefined],
    ]);
  });

  it.each([
    ['was decided', { status: 'decided', receipts: 0, ...answered('ann') }, 'already_decided'],
    ['was withdrawn', { status: 'cancelled', receipts: 0 }, 'cancelled'],
  ] as const)('says to a late approver that the ask %s', (_, output, status) => {
    const expected: AnswerReceipt = status === 'cancelled' ? { status } : { status, by: 'ann' };
    const { did } = play(machine, undefined, [ask, ended(output), answer('bob')]);
    expect(did).toEqual([receipt('bob', expected)]);
  });

  it('says so when it knows nothing of an ask', () => {
    expect(play(machine, undefined, [answer('ann')]).did).toEqual([
      receipt('ann', { status: 'unknown' }),
    ]);
  });

  it('ignores that an unknown ask is withdrawn', () => {
    expect(play(machine, undefined, [cancel]).did).toEqual([]);
  });

  it('denies an ask whose effects crash, and continues with the others', () => {
    const permissionRequest = permissionRequestMachine.provide({
      actions: {
        evaluate: (_, params) => {
          if (params.requestId === requestId) throw new Error('disk full');
        },
      },
    });
    const told: unknown[] = [];
    const desk = createActor(
      permissionDeskMachine.provide({
        actors: { permissionRequest },
        actions: { tellParent: (_, message) => told.push(message) },
      }),
    ).start();
    desk.send(ask);
    desk.send(askFrom('s00000000', { requestId: otherRequestId }));
    expect(told).toEqual([
      {
        type: 'permission.decision',
        requestId,
        answer: { behavior: 'deny', message: 'No approver could be asked: disk full' },
        by: 'desk',
        path: [{ actor: 'desk', verdict: 'denied', at: 1 }],
        at: 1,
      },
    ]);
    expect(desk.getSnapshot().status).toBe('active');
    expect(Object.keys(desk.getSnapshot().context.openRequests)).toEqual([otherRequestId]);
    desk.stop();
  });

  it('gives a receipt for an answer that reached the ask after its end', () => {
    const receipts: unknown[] = [];
    const reply = (_: unknown, params: { answerId: string; receipt: AnswerReceipt }) =>
      receipts.push([params.answerId, params.receipt]);
    const permissionRequest = permissionRequestMachine.provide({
      actions: {
        reply,
        // both arrive while the desk is still busy with the ask
        evaluate: () => {
          desk.send(cancel);
          desk.send(answer('ann'));
        },
      },
    });
    const desk = createActor(
      permissionDeskMachine.provide({ actors: { permissionRequest }, actions: { reply } }),
    ).start();
    desk.send(ask);
    expect(receipts).toEqual([['answer of ann', { status: 'cancelled' }]]);
    desk.stop();
  });
});
