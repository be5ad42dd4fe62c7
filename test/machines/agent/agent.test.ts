import { describe, expect, it } from 'vitest';
import type { TaskNotification } from '../../../src/core/events.js';
import { agentMachine } from '../../../src/machines/agent/agent.js';
import type { AgentEvent, AgentInput } from '../../../src/machines/agent/agent-types.js';
import type { CancelReason, TurnEnd } from '../../../src/machines/agent/tool-call.js';
import type { ScheduledCall } from '../../../src/machines/agent/tool-schedule.js';
import { play, type Outward } from '../../support/explore-steps.js';
import { agentId, allowed, askFrom, childId, requestId, taskId } from '../samples.js';

const machine = agentMachine.provide({ actions: { tellParent: () => {} } });
const worker: AgentInput = { agentId, taskId, inbox: 1, staysOpen: false, maxTurns: undefined };
const session: AgentInput = { ...worker, staysOpen: true };
const mail: AgentEvent = { type: 'inbox.arrived', isPrompt: false };
const prompt: AgentEvent = { type: 'inbox.arrived', isPrompt: true };
const interrupt: AgentEvent = { type: 'agent.interrupt' };
const stop: AgentEvent = { type: 'work.stop', reason: 'killed' };
const sampled: AgentEvent = { type: 'sample.done', text: 'hello' };
const cut: AgentEvent = { type: 'sample.done', text: 'one ', continues: 'cut' };
const paused: AgentEvent = { type: 'sample.done', text: 'and ', continues: 'paused' };
const failure = { code: 'MODEL_OVERLOADED', message: 'busy' };
const sampleFailed: AgentEvent = { type: 'sample.failed', failure };
const diskFull = { code: 'ENOSPC', message: 'disk full' };
const interrupted = { code: 'INTERRUPTED', message: 'Interrupted by the user.' };
const said = { status: 'completed', result: 'hello' };

const prepared = (drained = 1): AgentEvent => ({ type: 'prepared', drained, hasContent: true });
const empty: AgentEvent = { type: 'prepared', drained: 0, hasContent: false };
const use = (id: string, more: Partial<ScheduledCall> = {}): AgentEvent => ({
  type: 'tool.use',
  call: { id, isSafe: false, isShell: false, onInterrupt: 'block', ...more },
});
const safe = (id: string) => use(id, { isSafe: true });
const shell = (id: string) => use(id, { isShell: true });
const settled = (
  id: string,
  more: { isError?: boolean; endsTurn?: TurnEnd; cancelled?: CancelReason } = {},
): AgentEvent => ({
  type: 'call.settled',
  id,
  isError: false,
  endsTurn: undefined,
  cancelled: undefined,
  ...more,
});
const holding = (count: number): AgentEvent => ({ type: 'children.changed', holding: count });
const notification: TaskNotification = {
  type: 'task.notification',
  id: childId,
  kind: 'local_agent',
  outcome: { status: 'completed', result: 'ok' },
};

const run = (events: readonly AgentEvent[], since = events.length - 1, input = worker) =>
  play(machine, input, events, since);
const valueAfter = (events: readonly AgentEvent[], input = worker) =>
  run(events, undefined, input).snapshot.value;
const living = (state: unknown) => ({ living: state });
const started = (id: string): Outward => ['startCall', { agentId, id }];
const cancelled = (id: string, reason: CancelReason): Outward => [
  'cancelCall',
  { agentId, id, reason },
];
const handedOn = (id: string): readonly Outward[] => [['publishResult', { agentId, id }]];

describe('the turns of an agent', () => {
  it('prepare, sample, and end when the model asks for no tool', () => {
    expect(play(machine, worker, []).did).toEqual([['prepare', { agentId, turn: 0 }]]);
    expect(run([prepared()]).did).toEqual([['sample', { agentId, turn: 1 }]]);
    const { snapshot } = run([prepared(), sampled]);
    expect([snapshot.value, snapshot.status, snapshot.output]).toEqual(['done', 'done', said]);
  });

  it('continue with another request when the results are there', () => {
    const { snapshot, did } = run([prepared(), use('a'), sampled, settled('a')]);
    expect(snapshot.value).toEqual(living('preparing'));
    expect(did).toEqual([...handedOn('a'), ['prepare', { agentId, turn: 1 }]]);
  });

  it('need something to say', () => {
    expect(valueAfter([empty, empty], { ...session, inbox: 1 })).toEqual(living('preparing'));
    const { snapshot } = run([{ type: 'prepared', drained: 1, hasContent: false }], 0, session);
    expect(snapshot.value).toEqual(living({ idle: 'open' }));
  });

  it('fail with the model', () => {
    expect(run([prepared(), sampleFailed]).snapshot.output).toEqual({ status: 'failed', failure });
  });

  it('wait for the results of a reply that broke off', () => {
    const broken = [prepared(), use('a'), sampleFailed];
    expect(run(broken).did).toEqual([['abortSampling', { agentId }], cancelled('a', 'killed')]);
    expect(valueAfter(broken)).toEqual(living('stopping'));
    const { snapshot, did } = run([
      ...broken,
      settled('a', { isError: true, cancelled: 'killed' }),
    ]);
    expect(did.slice(0, 1)).toEqual(handedOn('a'));
    expect(snapshot.output).toEqual({ status: 'failed', failure });
  });

  it('are as many as allowed', () => {
    const two = { ...worker, maxTurns: 2 };
    const turn = [use('a'), sampled, settled('a')];
    const { snapshot } = run([prepared(), ...turn, prepared(0), ...turn], undefined, two);
    expect(snapshot.output).toEqual({
      status: 'failed',
      failure: { code: 'MAX_TURNS', message: 'Reached the maximum number of turns (2).' },
    });
  });

  it('are counted anew after a rest', () => {
    const one = { ...session, maxTurns: 1 };
    expect(valueAfter([prepared(), sampled, mail], one)).toEqual(living('preparing'));
  });

  it('show that the request is tried again, until it ends', () => {
    const retry = {
      attempt: 1,
      delayMs: 500,
      code: 'MODEL_OVERLOADED',
      status: 529,
      message: 'busy',
      at: 1,
    };
    const waiting: AgentEvent = { type: 'sample.retrying', retry };
    expect(run([prepared(), waiting]).snapshot.context.effect?.retry).toEqual(retry);
    expect(run([prepared(), waiting, sampled]).snapshot.context.effect?.retry).toBe(undefined);
  });
});

describe('a reply that is not at its end', () => {
  const goOn = [prepared(0)];
  const outputLimit = { code: 'MAX_OUTPUT_TOKENS', message: expect.any(String) as string };

  it.each([
    ['cut', cut],
    ['paused', paused],
  ] as const)('is continued in another request, at the point at which it was %s', (_, reply) => {
    const { snapshot, did } = run([prepared(), reply]);
    expect(snapshot.value).toEqual(living('preparing'));
    expect(did).toEqual([['prepare', { agentId, turn: 1 }]]);
  });

  it('has its text put together', () => {
    const { snapshot } = run([prepared(), cut, ...goOn, paused, ...goOn, sampled]);
    expect(snapshot.output).toEqual({ status: 'completed', result: 'one and hello' });
  });

  it('begins anew after results', () => {
    const acted = [prepared(), use('a'), cut, settled('a')];
    expect(valueAfter(acted)).toEqual(living('preparing'));
    expect(run([...acted, ...goOn, sampled]).snapshot.output).toEqual(said);
  });

  it('is continued three times in a row, then the agent fails', () => {
    const three = [prepared(), cut, ...goOn, cut, ...goOn, cut, ...goOn];
    expect(run([...three, sampled]).snapshot.output).toEqual({
      status: 'completed',
      result: 'one one one hello',
    });
    expect(run([...three, cut]).snapshot.output).toEqual({
      status: 'failed',
      failure: outputLimit,
    });
  });

  it('has the results of its last tools before it fails', () => {
    const cuts = [prepared(), cut, ...goOn, cut, ...goOn, cut, ...goOn, use('a'), cut];
    expect(valueAfter(cuts)).toEqual(living('acting'));
    expect(run([...cuts, settled('a')]).snapshot.output).toEqual({
      status: 'failed',
      failure: outputLimit,
    });
  });

  it.each([
    ['a pause', [paused, ...goOn]],
    ['tools', [use('a'), sampled, settled('a'), ...goOn]],
  ] as const)('is counted from one after %s', (_, between) => {
    const cuts = [cut, ...goOn, cut, ...goOn];
    const events = [prepared(), ...cuts, ...between, ...cuts, cut];
    expect(valueAfter(events)).toEqual(living('preparing'));
  });

  it('is counted from one after a rest', () => {
    const cuts = [prepared(), cut, ...goOn, cut, ...goOn, cut, ...goOn, cut];
    const { snapshot } = run([...cuts, prompt, prepared(), cut], undefined, session);
    expect([snapshot.value, snapshot.context.reply.cuts]).toEqual([living('preparing'), 1]);
  });

  it('counts among the requests that are allowed', () => {
    const { snapshot } = run([prepared(), cut], undefined, { ...worker, maxTurns: 1 });
    expect(snapshot.output).toMatchObject({ failure: { code: 'MAX_TURNS' } });
  });

  it('is continued in another process as in this one', () => {
    const later = { ...worker, inbox: 0, turn: 3, resumesTurn: true };
    const continued = { ...later, continues: 'cut', cuts: 3, text: 'one ' } as const;
    expect(run([prepared(0), sampled], undefined, continued).snapshot.output).toEqual({
      status: 'completed',
      result: 'one hello',
    });
    expect(run([prepared(0), cut], undefined, continued).snapshot.output).toEqual({
      status: 'failed',
      failure: outputLimit,
    });
  });

  it('is not continued when the agent is interrupted', () => {
    const { snapshot } = run([prepared(), interrupt, cut], undefined, session);
    expect(snapshot.value).toEqual(living({ idle: 'open' }));
    const next = [prepared(), cut, interrupt, prepared(0), prompt, prepared(), sampled];
    expect(run(next, undefined, session).snapshot.context.reply.text).toBe('hello');
  });
});

describe('the tool calls of an agent', () => {
  it('start while the reply still streams', () => {
    const { snapshot, did } = run([prepared(), use('a')]);
    expect([snapshot.value, did]).toEqual([living('sampling'), [started('a')]]);
  });

  it('run together when all are safe', () => {
    expect(run([prepared(), safe('a'), safe('b')]).did).toEqual([started('b')]);
  });

  it('run alone when they are not, and nothing overtakes them', () => {
    const queue = [prepared(), safe('a'), use('b'), safe('c')];
    expect(run(queue, 2).did).toEqual([]);
    expect(run([...queue, settled('a')]).did).toEqual([...handedOn('a'), started('b')]);
    expect(run([...queue, settled('a'), settled('b')]).did).toEqual([
      ...handedOn('b'),
      started('c'),
    ]);
  });

  it('hand their results on in the order of the request', () => {
    const both = [prepared(), safe('a'), safe('b'), sampled, settled('b')];
    expect(run(both).did).toEqual([]);
    expect(run([...both, settled('a')]).did.slice(0, 2)).toEqual([
      ...handedOn('a'),
      ...handedOn('b'),
    ]);
  });

  it('do not run after a shell of the same turn has failed, if they are shells', () => {
    const turn = [prepared(), shell('a'), shell('b'), safe('c'), settled('a', { isError: true })];
    expect(run(turn).did).toEqual([cancelled('b', 'sibling_error'), ...handedOn('a')]);
    const next = [...turn, settled('b', { isError: true, cancelled: 'sibling_error' })];
    expect(run(next).did).toEqual([...handedOn('b'), started('c')]);
  });

  it('do not run if they are shells that are asked for after the failure', () => {
    const failed = [prepared(), shell('a'), settled('a', { isError: true })];
    expect(run([...failed, shell('b')]).did).toEqual([cancelled('b', 'sibling_error')]);
    expect(run([...failed, use('b')]).did).toEqual([started('b')]);
    const next = [...failed, sampled, prepared(0), shell('b')];
    expect(run(next).did).toEqual([started('b')]);
  });

  it('run on beside a shell that was only cancelled', () => {
    const turn = [prepared(), shell('a'), shell('b')];
    const gone = settled('a', { isError: true, cancelled: 'user_interrupted' });
    expect(run([...turn, gone]).did).toEqual([...handedOn('a'), started('b')]);
  });

  it('end the turn when a person refuses without a word', () => {
    const refused = [
      prepared(),
      use('a'),
      use('b'),
      settled('a', { isError: true, endsTurn: 'refused' }),
    ];
    expect(run(refused).did).toEqual([cancelled('b', 'user_interrupted'), ...handedOn('a')]);
    expect(run([...refused, use('c')]).did).toEqual([cancelled('c', 'user_interrupted')]);
    const over = [
      ...refused,
      sampled,
      settled('b', { isError: true, cancelled: 'user_interrupted' }),
    ];
    expect(run(over).snapshot.output).toEqual(said);
  });

  it('end the turn with the answer, when the other calls have their results', () => {
    const answered = [prepared(), use('a'), use('b'), settled('a', { endsTurn: 'answered' })];
    expect(run(answered).did).toEqual([...handedOn('a'), started('b')]);
    const acting = [...answered, use('c'), sampled, settled('b')];
    expect(run(acting).snapshot.status).toBe('active');
    expect(run([...acting, settled('c')]).snapshot.output).toEqual(said);
  });

  it('end the turn like an interrupt when a refusal says so, whatever else ends it', () => {
    const turn = [
      prepared(),
      use('a'),
      use('b'),
      settled('a', { isError: true, endsTurn: 'interrupted' }),
    ];
    expect(run(turn).did).toEqual([cancelled('b', 'user_interrupted'), ...handedOn('a')]);
    const over = [...turn, sampled, settled('b', { isError: true, endsTurn: 'refused' })];
    expect(run(over).snapshot.output).toEqual({
      status: 'failed',
      failure: expect.objectContaining({ code: 'INTERRUPTED' }),
    });
  });

  it('end the agent with the only call open when it is deferred, once the reply is whole', () => {
    const outcome = { status: 'completed', result: '' } as const;
    const deferred: AgentEvent = { type: 'turn.deferred', outcome };
    const streaming = [prepared(), use('a'), deferred];
    expect(valueAfter(streaming)).toEqual(living('sampling'));
    for (const events of [
      [...streaming, sampled],
      [prepared(), use('a'), sampled, deferred],
    ]) {
      const { did, snapshot } = run(events, undefined, session);
      expect({ did, value: snapshot.value, output: snapshot.output }).toEqual({
        did: [], // neither an end of the turn nor a result of the call is published
        value: 'done',
        output: outcome,
      });
    }
  });

  it('have results like others if a deferred one is interrupted before that', () => {
    const deferred: AgentEvent = {
      type: 'turn.deferred',
      outcome: { status: 'completed', result: '' },
    };
    const stopping = [prepared(), use('a'), deferred, interrupt];
    expect(run(stopping, undefined, session).did).toEqual([
      ['abortSampling', { agentId }],
      cancelled('a', 'user_interrupted'),
    ]);
    const gone = settled('a', { isError: true, cancelled: 'user_interrupted' });
    const over = [...stopping, gone, sampleFailed];
    expect(valueAfter(over, session)).toEqual(living({ idle: 'open' }));
    const next = [...over, mail, prepared(), use('b'), sampled];
    expect(valueAfter(next, session)).toEqual(living('acting'));
  });

  it('are cancelled by a new prompt if they run and say so', () => {
    const turn = [
      prepared(),
      use('a', { onInterrupt: 'cancel', isSafe: true }),
      safe('b'),
      sampled,
    ];
    expect(run([...turn, prompt]).did).toEqual([cancelled('a', 'user_interrupted')]);
    expect(run([...turn.slice(0, -1), prompt]).did).toEqual([cancelled('a', 'user_interrupted')]);
    expect(run([...turn, mail]).did).toEqual([]);
  });
});

describe('an agent that is interrupted', () => {
  it('still makes the results, then is idle', () => {
    const acting = [prepared(), safe('a'), use('b'), sampled, interrupt];
    expect(run(acting, undefined, session).did).toEqual([
      ['abortSampling', { agentId }],
      cancelled('a', 'user_interrupted'),
      cancelled('b', 'user_interrupted'),
    ]);
    const gone = { isError: true, cancelled: 'user_interrupted' } as const;
    const over = [...acting, settled('b', gone), settled('a', gone)];
    const { snapshot, did } = run(over, undefined, session);
    expect(snapshot.value).toEqual(living({ idle: 'open' }));
    expect(did).toEqual([
      ...handedOn('a'),
      ...handedOn('b'),
      ['publishTurnOutcome', { agentId, turnOutcome: { status: 'failed', failure: interrupted } }],
    ]);
  });

  it('waits for its reply to end, and cancels what still comes of it', () => {
    const streaming = [prepared(), interrupt, use('a')];
    expect(run(streaming, undefined, session).did).toEqual([cancelled('a', 'user_interrupted')]);
    const late = [...streaming, settled('a', { isError: true, cancelled: 'user_interrupted' })];
    expect(valueAfter(late, session)).toEqual(living('stopping'));
    expect(valueAfter([...late, sampleFailed], session)).toEqual(living({ idle: 'open' }));
  });

  it('waits for the message that is being made, and does not send it', () => {
    expect(valueAfter([interrupt], session)).toEqual(living('stopping'));
    const { snapshot, did } = run([interrupt, prepared()], undefined, session);
    expect(snapshot.value).toEqual(living({ idle: 'open' }));
    expect(did.map(([name]) => name)).toEqual(['publishTurnOutcome']);
  });

  it('continues with mail that came while it stopped', () => {
    const over = [prepared(), interrupt, mail, sampleFailed];
    expect(run(over, undefined, session).did.map(([name]) => name)).toEqual([
      'publishTurnOutcome',
      'prepare',
    ]);
  });

  it('ends, if it was not to stay open', () => {
    const { snapshot } = run([prepared(), interrupt, sampleFailed]);
    expect(snapshot.output).toEqual({ status: 'failed', failure: interrupted });
  });

  it('ends at once when it quits, whatever waits for it', () => {
    const quit: AgentEvent = { type: 'agent.quit' };
    const resting = run([prepared(), sampled, holding(1), quit], 2, session);
    expect([resting.snapshot.value, resting.snapshot.output]).toEqual(['done', said]);
    for (const turn of [[interrupt], [quit], [interrupt, quit], [quit, interrupt]]) {
      const { snapshot, did } = run(
        [prepared(), use('a'), ...turn, sampled, notification, quit, settled('a')],
        undefined,
        session,
      );
      expect(snapshot.value).toBe('done');
      expect(snapshot.output).toEqual({ status: 'completed', result: '' });
      expect(did).toEqual([
        ...handedOn('a'),
        [
          'publishTurnOutcome',
          { agentId, turnOutcome: { status: 'failed', failure: interrupted } },
        ],
      ]);
    }
    const killed = run([prepared(), stop, quit, sampled], undefined, session);
    expect(killed.snapshot.output).toMatchObject({
      status: 'failed',
      failure: { code: 'STOPPED' },
    });
  });

  it('has nothing to interrupt while it is idle', () => {
    const { snapshot, did } = run([interrupt], 0, { ...session, inbox: 0 });
    expect([snapshot.value, did]).toEqual([living({ idle: 'open' }), []]);
  });
});

describe('an agent that is asked to stop', () => {
  const stopped = {
    status: 'failed',
    failure: { code: 'STOPPED', message: 'The agent was stopped.' },
  };

  it.each([
    ['idle', [], { ...session, inbox: 0 }],
    ['waiting', [holding(1)], { ...session, inbox: 0 }],
  ] as const)('ends at once when it is %s', (_, events, input) => {
    expect(run([...events, stop], undefined, input).snapshot.output).toEqual(stopped);
  });

  it.each([
    ['its message', [stop], [prepared()]],
    ['its reply', [prepared(), stop], [sampleFailed]],
    ['its calls', [prepared(), use('a'), sampled, stop], [settled('a')]],
  ] as const)('waits for %s', (_, events, end) => {
    expect(valueAfter(events)).toEqual(living('stopping'));
    expect(run([...events, ...end]).snapshot.output).toEqual(stopped);
  });

  it('ends though it was being interrupted, and is not interrupted while it ends', () => {
    const both = [prepared(), use('a'), sampled, interrupt, stop];
    expect(run([...both, settled('a')], undefined, session).snapshot.output).toEqual(stopped);
    const other = [prepared(), use('a'), sampled, stop, interrupt];
    expect(run([...other, settled('a')], undefined, session).snapshot.output).toEqual(stopped);
  });

  it.each([
    ['it is forced', { type: 'work.force' }, 'FORCED', 'The work did not stop in time.'],
    ['an effect crashes', { type: 'effect.failed', failure: diskFull }, 'ENOSPC', 'disk full'],
  ] as const)('ends at once when %s, and withdraws its asks', (_, event, code, message) => {
    const { snapshot, did } = run([prepared(), use('a'), askFrom('a'), event]);
    expect(did.slice(0, 2)).toEqual([
      ['tearOff', { agentId }],
      ['tellParent', { type: 'permission.cancel', requestId }],
    ]);
    expect(snapshot.output).toEqual({ status: 'failed', failure: { code, message } });
  });
});

describe('an agent that has nothing to do', () => {
  it('waits for what holds it, then is done', () => {
    const held = [prepared(), holding(1), sampled];
    expect(valueAfter(held)).toEqual(living({ idle: 'waiting' }));
    expect(run([...held, holding(0)]).snapshot.output).toEqual(said);
  });

  it('starts a turn for a notification, before it is let go', () => {
    const held = [prepared(), holding(1), sampled, notification];
    expect(run(held).did).toEqual([
      ['acceptNotification', { agentId, notification }],
      ['prepare', { agentId, turn: 1 }],
    ]);
    expect(valueAfter([...held, holding(0)])).toEqual(living('preparing'));
  });

  it.each([
    ['mid-stream', [prepared(), notification, sampled]],
    ['acting', [prepared(), use('a'), sampled, notification, settled('a')]],
  ] as const)('takes up a notification that came %s', (_, events) => {
    const { snapshot } = run(events);
    expect([snapshot.value, snapshot.context.inbox]).toEqual([living('preparing'), 1]);
  });

  it('is idle as often as it has to, if it stays open', () => {
    const turn = [prepared(), sampled];
    const { snapshot, did } = run([...turn, prompt, ...turn, prompt, ...turn], 0, session);
    expect(did.filter(([name]) => name === 'publishTurnOutcome')).toEqual(
      Array.from({ length: 3 }, () => ['publishTurnOutcome', { agentId, turnOutcome: said }]),
    );
    expect([snapshot.value, snapshot.context.turn]).toEqual([living({ idle: 'open' }), 3]);
  });

  it('stays open after a failure, and ends when no more can come', () => {
    expect(valueAfter([prepared(), sampleFailed], session)).toEqual(living({ idle: 'open' }));
    const { snapshot } = run([prepared(), sampled, { type: 'inbox.closed' }], undefined, session);
    expect(snapshot.output).toEqual(said);
  });
});

describe('an ask that passes an agent', () => {
  const asked = [prepared(), use('a'), askFrom('a')];

  it('continues to its task with one more hop', () => {
    const path = [{ actor: agentId, verdict: 'passed on' as const, at: 1 }];
    expect(run(asked).did).toEqual([['tellParent', askFrom('work', { path })]]);
  });

  it('is decided once, for the call that asked', () => {
    expect(run([...asked, allowed(), allowed()], 3).did).toEqual([
      ['answerCall', { agentId, id: 'a', decided: allowed() }],
    ]);
  });

  it('is withdrawn once, and a late decision harms nobody', () => {
    const cancel = { type: 'permission.cancel', requestId } as const;
    expect(run([...asked, cancel, cancel, allowed()], 3).did).toEqual([['tellParent', cancel]]);
  });
});

describe('an agent whose conversation is compacted', () => {
  const short: AgentEvent = { type: 'prepared', drained: 1, hasContent: true, isShort: true };
  const wish: AgentEvent = { type: 'agent.compact' };
  const compacted: AgentEvent = { type: 'compaction.done', text: 'Compacted.' };
  const lost: AgentEvent = { type: 'compaction.failed', failure };
  const overflow = { code: 'CONTEXT_WINDOW_EXCEEDED', message: 'too long' };
  const tooLong: AgentEvent = { type: 'sample.failed', failure: overflow };
  const compacts = (trigger: string, turn = 0) => ['compact', { agentId, turn, trigger }];
  const publishes = (turnOutcome: unknown) => ['publishTurnOutcome', { agentId, turnOutcome }];

  it('waits for that before its next request, if the window is short', () => {
    expect(run([short]).did).toEqual([compacts('auto')]);
    expect(run([short, compacted]).did).toEqual([['sample', { agentId, turn: 1 }]]);
  });

  it('continues with what it had if that fails', () => {
    expect(run([short, lost]).did).toEqual([['sample', { agentId, turn: 1 }]]);
  });

  it('makes a request that was too long again, once, and it does not count twice', () => {
    const one = { ...worker, maxTurns: 1 };
    const failed = [prepared(), tooLong];
    expect(run(failed, undefined, one).did).toEqual([['prepare', { agentId, turn: 1 }]]);
    const again = [...failed, prepared(0), compacted];
    expect(run(again.slice(0, -1)).did).toEqual([compacts('overflow', 1)]);
    expect(run(again, undefined, one).did).toEqual([['sample', { agentId, turn: 2 }]]);
    expect(run([...again, tooLong]).snapshot.output).toEqual({
      status: 'failed',
      failure: overflow,
    });
    expect(run([...failed, prepared(0), lost]).snapshot.output).toEqual({
      status: 'failed',
      failure,
    });
  });

  it('may compact again after a reply', () => {
    const turn = [use('a'), sampled, settled('a')];
    const next = [prepared(), tooLong, prepared(0), compacted, ...turn, prepared(0), tooLong];
    expect(run(next).did).toEqual([['prepare', { agentId, turn: 3 }]]);
  });

  it('waits for the calls of a reply that has filled the window', () => {
    const filled = [prepared(), use('a'), tooLong];
    expect(valueAfter(filled)).toEqual(living('acting'));
    expect(valueAfter([...filled, settled('a')])).toEqual(living('preparing'));
  });

  it('fails with a request that is too long if nothing is compacted by itself', () => {
    const { snapshot } = run([prepared(), tooLong], undefined, { ...worker, autoCompact: false });
    expect(snapshot.output).toEqual({ status: 'failed', failure: overflow });
  });

  it('does so at once if it is idle, and is idle again', () => {
    const idle = [prepared(), sampled, wish];
    expect(run(idle, undefined, session).did).toEqual([['prepare', { agentId, turn: 1 }]]);
    const asked = [...idle, empty];
    expect(run(asked, undefined, session).did).toEqual([compacts('manual', 1)]);
    const turnOutcome = { status: 'completed', result: 'Compacted.' };
    expect(run([...asked, compacted], undefined, session).did).toEqual([publishes(turnOutcome)]);
    const failedOutcome = { status: 'failed', failure };
    expect(run([...asked, lost], undefined, session).did).toEqual([publishes(failedOutcome)]);
  });

  it('does so before its next request if it is at work, and answers its prompt first', () => {
    const turn = [prepared(), use('a'), sampled, wish, settled('a'), prepared(0)];
    expect(run(turn).did).toEqual([compacts('manual', 1)]);
    const { did } = run([prepared(), wish, sampled], undefined, session);
    expect(did).toEqual([publishes(said), ['prepare', { agentId, turn: 1 }]]);
  });

  it('keeps how its turn ended if it waits for sub-agents meanwhile', () => {
    const held = [prepared(), holding(1), sampled, wish, empty, compacted];
    expect(valueAfter(held)).toEqual(living({ idle: 'waiting' }));
    expect(run([...held, holding(0)]).snapshot.output).toEqual(said);
  });

  it.each([
    ['interrupted', interrupt, session],
    ['told to stop', stop, worker],
  ] as const)('waits for the end of that when it is %s', (_, event, input) => {
    expect(run([short, event], undefined, input).did).toEqual([['abortSampling', { agentId }]]);
    expect(valueAfter([short, event], input)).toEqual(living('stopping'));
    const end = valueAfter([short, event, lost], input);
    expect(end).toEqual(event === stop ? 'done' : living({ idle: 'open' }));
  });

  it('is torn off while it does so when it is forced', () => {
    const { snapshot } = run([short, { type: 'work.force' }]);
    expect(snapshot.value).toBe('done');
  });
});
