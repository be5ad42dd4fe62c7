import { describe, expect, it } from 'vitest';
import {
  permissionRequestMachine as machine,
  type PermissionRequestEvent,
} from '../../../src/machines/approval/permission-request.js';
import { play } from '../../support/explore-steps.js';
import { requestId } from '../samples.js';

const input = { requestId };
const shown: PermissionRequestEvent = { type: 'ask.evaluated', answered: undefined };
const persisted: PermissionRequestEvent = { type: 'ask.persisted' };
const cancel: PermissionRequestEvent = { type: 'ask.cancel' };
const answered = (by: string) => ({ by, answer: { behavior: 'allow' as const }, at: 1 });
const answer = (by: string): PermissionRequestEvent => ({
  type: 'ask.answer',
  answerId: `answer of ${by}`,
  answered: answered(by),
});
const receipt = (by: string, status: object) => [
  'reply',
  { answerId: `answer of ${by}`, receipt: status },
];
const accepted = { status: 'accepted' };
const persist = (by: string) => ['persist', { requestId, answered: answered(by) }];

describe('permissionRequestMachine', () => {
  it('runs the automated checks before anybody is asked', () => {
    expect(play(machine, input, []).did).toEqual([['evaluate', { requestId }]]);
    expect(play(machine, input, [shown]).did).toEqual([['present', { requestId }]]);
  });

  it('is decided by the automated checks if they have an answer', () => {
    const byPolicy: PermissionRequestEvent = {
      type: 'ask.evaluated',
      answered: answered('policy'),
    };
    const { snapshot, did } = play(machine, input, [byPolicy, persisted], 0);
    expect(did).toEqual([persist('policy')]);
    expect(snapshot.output).toEqual({ status: 'decided', receipts: 0, ...answered('policy') });
  });

  it.each([
    ['evaluating', [], []],
    ['waiting', [shown], [['withdraw', { requestId }]]],
  ] as const)('accepts the first answer in %s and keeps what goes with it', (_, way, withdrawn) => {
    const { snapshot, did } = play(machine, input, [...way, answer('ann')]);
    expect(snapshot.value).toBe('claimed');
    expect(did).toEqual([...withdrawn, receipt('ann', accepted), persist('ann')]);
  });

  it('tells later approvers who was first', () => {
    const { snapshot, did } = play(
      machine,
      input,
      [shown, answer('ann'), answer('bob'), persisted],
      2,
    );
    expect(did).toEqual([receipt('bob', { status: 'already_decided', by: 'ann' })]);
    expect(snapshot.output).toEqual({ status: 'decided', receipts: 2, ...answered('ann') });
  });

  it('keeps the answer of a person against checks that are late', () => {
    const late: PermissionRequestEvent = { type: 'ask.evaluated', answered: answered('policy') };
    const { snapshot } = play(machine, input, [answer('ann'), late, persisted]);
    expect(snapshot.output).toEqual({ status: 'decided', receipts: 1, ...answered('ann') });
  });

  it.each([
    ['evaluating', [], 0],
    ['waiting', [shown], 0],
    ['claimed', [shown, answer('ann')], 1],
  ] as const)('is cancelled in %s when its asker has gone', (_, way, receipts) => {
    const { snapshot } = play(machine, input, [...way, cancel]);
    expect([snapshot.value, snapshot.output]).toEqual([
      'cancelled',
      { status: 'cancelled', receipts },
    ]);
  });

  it('is withdrawn from its approvers when it is cancelled', () => {
    expect(play(machine, input, [shown, cancel]).did).toEqual([['withdraw', { requestId }]]);
  });

  it.each([
    ['decided', [answer('ann'), persisted]],
    ['cancelled', [cancel]],
  ] as const)('accepts nothing when it is %s', (value, way) => {
    const late = [shown, answer('bob'), persisted, cancel];
    const { snapshot, did } = play(machine, input, [...way, ...late], way.length);
    expect([snapshot.value, did]).toEqual([value, []]);
  });
});
