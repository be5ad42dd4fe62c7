import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { ResultMessage } from '../../../src/actors/contract/result-message.js';
import { createGate } from '../../support/gate.js';
import { createScheduleWorld } from '../../support/schedule-world.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const agents = [
  defineAgent('worker'),
  defineAgent('patient', { taskBudget: { seconds: 60 } }),
  defineAgent('alone', { taskBudget: { depth: 0 } }),
];
/** Replies that come when they are let go; `reached` resolves when so many are waited for. */
function createHold(wanted: number) {
  const [gate, end] = [createGate(), createGate()];
  let count = 0;
  return {
    reached: gate.opened,
    release: () => end.open(),
    async reply() {
      count += 1;
      if (count === wanted) gate.open();
      await end.opened;
      return { text: 'too late' };
    },
  };
}

async function resultOf(session: SessionHandle): Promise<ResultMessage | undefined> {
  let newest: ResultMessage | undefined;
  for await (const message of session) if (message.type === 'result') newest = message;
  return newest;
}

describe('a budget of seconds', () => {
  it('ends the task with all below it, as a failure that says whose time was up', async () => {
    const time = createSimulatedTime();
    const { reached, reply, release } = createHold(1);
    const { troupe } = await createTroupe(
      ({ origin }) =>
        origin.name === 'outer' ? { tools: [agentCall('worker', { name: 'inner' })] } : reply(),
      { agents, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const task = await session.spawn({
      agent: 'worker',
      name: 'outer',
      prompt: 'Go.',
      taskBudget: { seconds: 90 },
    });
    await reached;
    time.advance(89_999);
    expect(task.status).toBe('running');
    time.advance(1);
    release();
    expect(await task.outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'BUDGET_EXCEEDED',
        message: `Reached the budget of 90 seconds of ${task.agentId} and all below it: 90 seconds are used.`,
        details: { account: task.agentId, unit: 'seconds', cap: 90, used: 90, needed: 0 },
      },
    });
    const inner = session.tasks().find(({ parentId }) => parentId === task.id);
    expect(inner?.outcome).toEqual({ status: 'killed', reason: 'owner ended' });
    expect(session.status).toBe('running');
  });

  it('of a definition reaches the agent that waits for it as the error of its tool call', async () => {
    const time = createSimulatedTime();
    const { reached, reply, release } = createHold(1);
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('patient')] },
          ({ messages }) => ({ text: newestResults(messages).map(resultText).join() }),
        ],
        patient: [reply],
      }),
      { agents, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await reached;
    time.advance(60_000);
    release();
    expect(await session.result).toContain('Reached the budget of 60 seconds of apatient-');
  });

  it('of a session ends the session', async () => {
    const time = createSimulatedTime();
    const { reached, reply, release } = createHold(1);
    const { troupe } = await createTroupe(reply, {
      agents,
      clock: time.clock,
      now: time.now,
    });
    const session = troupe.session({ prompt: 'Go.', taskBudget: { seconds: 5 } });
    await reached;
    time.advance(5_000);
    release();
    expect(await resultOf(session)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringContaining('Reached the budget of 5 seconds of amain-')],
    });
  });

  it('leaves no timer behind if the task ends in time', async () => {
    const { troupe, armed } = await createScheduleWorld(() => ({ text: 'Done.' }));
    const session = troupe.session({ prompt: 'Go.', taskBudget: { seconds: 5 } });
    const whileRunning = new Promise<number>((resolve) => {
      session.events.on('agent.message', () => resolve(armed.size));
    });
    expect(await session.result).toBe('Done.');
    expect([await whileRunning, armed.size]).toEqual([1, 0]);
  });

  it('may be longer than a timer of the process can be', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), { agents });
    const session = troupe.session({ prompt: 'Go.', taskBudget: { seconds: 10_000_000 } });
    expect(await session.result).toBe('Done.');
    await new Promise<void>((resolve) => setImmediate(resolve)); // then warnings are reported
    expect(warnings).toEqual([]);
  });
});

describe('budgets of depth and agents', () => {
  it('refuse an agent that would be too deep, or one too many, and name whose budget it is', async () => {
    const gate = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('alone'), agentCall('worker', { name: 'w' })] },
          { text: 'Done.' },
        ],
        alone: [
          { tools: [agentCall('worker', { name: 'never' })] },
          ({ messages }) => (told.push(...newestResults(messages).map(resultText)), { text: 'ok' }),
        ],
        w: [
          {
            tools: ['x', 'y', 'z'].map((name) => agentCall('worker', { name, background: true })),
          },
          async ({ messages }) => {
            told.push(...newestResults(messages).map(resultText));
            gate.open();
            return { text: 'ok' };
          },
        ],
        worker: [async () => (await gate.opened, { text: 'I am done.' })],
      }),
      { agents },
    );
    const session = troupe.session({ prompt: 'Go.', taskBudget: { agents: 4, depth: 2 } });
    expect(await session.result).toBe('Done.');
    expect(told.filter((text) => text.includes('allows no agent below it'))).toEqual([
      expect.stringMatching(/the budget of aalone-\w+ allows no agent below it: do it yourself/),
    ]);
    const tooMany = told.filter((text) => text.includes('at once'));
    expect(tooMany.length).toBeGreaterThan(0);
    expect(tooMany[0]).toMatch(
      /the budget of amain-\w+ allows 4 agents at once below it, and 4 are alive: wait until one has ended/,
    );
  });

  it('say of none at all that there is nothing to wait for', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), { agents });
    const session = troupe.session({ hostsOnly: true, staysOpen: true, taskBudget: { agents: 0 } });
    await expect(session.spawn({ agent: 'worker', prompt: 'Go.' })).rejects.toThrow(
      /the budget of amain-\w+ allows no agent below it: do it yourself$/,
    );
  });

  it('count agents that live: when one has ended the next may start', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), { agents });
    const session = troupe.session({ hostsOnly: true, staysOpen: true, taskBudget: { agents: 1 } });
    const spawn = () => session.spawn({ agent: 'worker', prompt: 'Go.' });
    const first = await spawn();
    await expect(spawn()).rejects.toMatchObject({
      code: 'TASK_REFUSED',
      message: expect.stringContaining('allows 1 agents at once below it, and 1 are alive'),
    });
    expect(await first.result).toBe('Done.');
    expect(await (await spawn()).result).toBe('Done.');
  });

  it.each([
    [{ seconds: 0 }, 'taskBudget.seconds'],
    [{ depth: -1 }, 'taskBudget.depth'],
    [{ agents: 1.5 }, 'taskBudget.agents'],
  ])('cannot be %j', async (taskBudget, name) => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    expect(() => troupe.session({ prompt: 'Go.', taskBudget })).toThrow(name);
  });
});
