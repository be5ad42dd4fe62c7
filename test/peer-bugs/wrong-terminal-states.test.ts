import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/model/model.js';
import { createGate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { statusLines } from '../support/journals.js';
import { createWaitTool } from '../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../support/scripts.js';
import { createSimulatedTime, skipRetryWaits } from '../support/simulated-time.js';
import { createTroupe, createTroupeOverHttp, defineAgent } from '../support/troupe.js';
import { until } from '../processes/processes.js';

const AGENTS = [defineAgent('worker'), defineAgent('sub')];
const BACKGROUND = { background: true };
const GLOB = { name: 'Glob', input: { pattern: '*' } };

/** Status and result of each notification in a conversation. */
function toldEnds({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] {
  return userTexts(messages).flatMap((text) => {
    const status = /<status>(\w+)/.exec(text)?.[1];
    return status === undefined ? [] : [`${status}: ${/<result>([^<]*)/.exec(text)?.[1] ?? ''}`];
  });
}

type Session = ReturnType<Awaited<ReturnType<typeof createTroupe>>['troupe']['session']>;

/** How tasks ended by their status lines, by description. */
async function endsOf(session: Session): Promise<Readonly<Record<string, readonly string[]>>> {
  const ends: Record<string, string[]> = {};
  for (const { id, status } of await statusLines(session)) {
    const name = session.tasks().find((task) => task.id === id)?.description ?? id;
    if (status !== 'pending' && status !== 'running') (ends[name] ??= []).push(status);
  }
  return ends;
}

describe('the end of a task is reported as it was', () => {
  it('failed, if a stream broke permanently: its error is not a result', async () => {
    const time = createSimulatedTime();
    const told: string[] = [];
    const { troupe } = await createTroupeOverHttp(
      {
        handler({ body }) {
          if (JSON.stringify(body['system']).includes('You are worker.'))
            return { text: 'Half of it, and', fault: { afterEvents: 3, kind: 'cut' } };
          const { messages } = body as unknown as ModelRequest; // the strict fake has looked at them
          told.push(...toldEnds({ messages: messages.slice(-1) }));
          const isFirst = messages.length === 1;
          return isFirst ? { tools: [agentCall('worker', BACKGROUND)] } : { text: 'Done.' };
        },
      },
      { agents: AGENTS, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual([expect.stringMatching(/^failed: /)]);
    expect((await endsOf(session))['worker']).toEqual(['failed']);
  });

  it('failed, if an agent was stopped at its limit in the middle of its work', async () => {
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker')] },
          ({ messages }) => {
            told.push(...newestResults(messages).map(({ is_error }) => String(is_error)));
            return { tools: [agentCall('sub')] };
          },
          ({ messages }) => {
            told.push(...newestResults(messages).map(({ is_error }) => String(is_error)));
            return { text: 'Done.' };
          },
        ],
        worker: [{ text: 'Half done, continuing.', tools: [GLOB] }],
        sub: [{ text: 'Half done, continuing.', tools: [GLOB] }],
      }),
      {
        agents: [
          defineAgent('worker', { maxTurns: 2 }),
          defineAgent('sub', { taskBudget: { turns: 2 } }),
        ],
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual(['true', 'true']);
    const codes = session
      .tasks()
      .map(({ outcome }) =>
        outcome?.status === 'failed' ? outcome.failure.code : outcome?.status,
      );
    expect(codes).toEqual(['completed', 'MAX_TURNS', 'BUDGET_EXCEEDED']);
  });

  it('completed, also if its owner is killed afterwards', async () => {
    const finished = createGate();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('worker', BACKGROUND)] }, { text: 'Waiting.' }],
        worker: [
          { tools: [agentCall('sub')] },
          () => {
            finished.open();
            return { tools: [bashCall('sleep 600')] };
          },
        ],
        sub: [{ text: 'Done.' }],
      }),
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await finished.opened;
    await until('it works', () => session.tasks().length === 4);
    await session.kill('enough');
    expect(await endsOf(session)).toMatchObject({
      sub: ['completed'],
      'sleep 600': ['killed'],
      worker: ['killed'],
    });
  });

  it('as it was, if somebody stops a task that has ended: that is an error', async () => {
    const ended = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [bashCall('exit 7', BACKGROUND)] },
          async ({ messages }) => {
            await ended.opened;
            const id = /\b(b\w{8})\b/.exec(newestResults(messages).map(resultText)[0] ?? '')?.[1];
            return { tools: [{ name: 'TaskStop', input: { task_id: id } }] };
          },
          ({ messages }) => {
            told.push(
              ...newestResults(messages).map((one) => `${one.is_error} ${resultText(one)}`),
            );
            return { text: 'Done.' };
          },
        ],
      }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ status }) => {
      if (status === 'failed') ended.open();
    });
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual([expect.stringMatching(/^true .*failed/)]);
    expect((await endsOf(session))['exit 7']).toEqual(['failed']);
  });

  it('not before an agent has seen the end of what it has started itself', async () => {
    const mayEnd = createGate();
    const order: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', BACKGROUND)] },
          { text: 'Waiting.' },
          ({ messages }) => {
            order.push(`main sees ${toldEnds({ messages }).join()}`);
            return { text: 'Done.' };
          },
        ],
        worker: [
          { tools: [agentCall('sub', BACKGROUND)] },
          { text: 'I wait for my own.' },
          ({ messages }) => {
            order.push(`worker sees ${toldEnds({ messages }).join()}`);
            return { text: 'All of it is done.' };
          },
        ],
        sub: [{ tools: [{ name: 'Wait' }] }, { text: 'Sub is done.' }],
      }),
      { agents: AGENTS, tools: [createWaitTool(() => mayEnd.opened)] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const isIdle = (label: string): boolean =>
      allActors(troupe.inspect()).some(
        (actor) =>
          actor.kind === 'agent' && actor.label === label && actor.state.startsWith('idle'),
      );
    await until('both have nothing to do', () => isIdle('main') && isIdle('worker'));
    order.push('both have nothing to do');
    mayEnd.open();
    expect((await session.outcome).status).toBe('completed');
    expect(order).toEqual([
      'both have nothing to do',
      'worker sees completed: Sub is done.',
      'main sees completed: All of it is done.',
    ]);
  });

  it('failed, if a command was ended by a signal from elsewhere or with another code than 0', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [
          {
            tools: [
              bashCall('kill -9 $$', BACKGROUND),
              bashCall('exit 1', BACKGROUND),
              bashCall('true', BACKGROUND),
              { name: 'Wait' },
            ],
          },
          { text: 'Done.' },
        ],
      }),
      {
        tools: [createWaitTool(() => until('all have ended', () => ended >= 3))],
      },
    );
    let ended = 0;
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_bash' && (status === 'completed' || status === 'failed')) ended += 1;
    });
    expect((await session.outcome).status).toBe('completed');
    expect(await endsOf(session)).toMatchObject({
      'kill -9 $$': ['failed'],
      'exit 1': ['failed'],
      true: ['completed'],
    });
  });

  it('killed, if an agent was stopped before there was room for it to start', async () => {
    const mayEnd = createGate();
    const told: (readonly string[])[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', BACKGROUND), agentCall('sub', BACKGROUND)] },
          ({ messages }) => {
            const id = /Task: (\w{9})/.exec(newestResults(messages).map(resultText)[1] ?? '')?.[1];
            return { tools: [{ name: 'TaskStop', input: { task_id: id } }] };
          },
          () => {
            mayEnd.open();
            return { text: 'Waiting.' };
          },
          ({ messages }) => {
            told.push(toldEnds({ messages }));
            return { text: 'Done.' };
          },
        ],
        worker: [
          async () => {
            await mayEnd.opened;
            return { text: 'Worked.' };
          },
        ],
        sub: [{ text: 'It must not say this.' }],
      }),
      { agents: AGENTS, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual([[expect.stringMatching(/^stopped: /), 'completed: Worked.']]);
    expect(await endsOf(session)).toMatchObject({ worker: ['completed'], sub: ['killed'] });
    expect(await session.kill('too late')).toEqual({ status: 'completed', result: 'Done.' });
  });
});
