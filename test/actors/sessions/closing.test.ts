import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { expectWhole } from '../../support/expect-whole.js';
import { createGate } from '../../support/gate.js';
import { agentIds } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import {
  ALLOW_ALL,
  createTroupe,
  createTroupeOverHttp,
  defineAgent,
} from '../../support/troupe.js';
import { countProcesses, hidden, uniqueSeconds, until } from '../../processes/processes.js';

/** A session with an ask, a stream, a wait for a retry and a shell open at once. */
async function openEverything() {
  const seconds = uniqueSeconds();
  const { tool, ran } = createChangeTool();
  const parts: Readonly<Record<string, FakeReply>> = {
    asker: { tools: [{ name: 'Change', input: { what: 'it' } }] },
    streamer: {
      text: 'Never whole.',
      gate: (index) => (index === 3 ? new Promise(() => {}) : undefined),
    },
    silent: { connection: 'silent' },
    retrier: { status: 429, headers: { 'retry-after': '50' } },
    sheller: { tools: [bashCall(`${hidden(seconds)}\n(setsid sleep $m &)\nsleep $m`)] },
  };
  const types = Object.keys(parts);
  const made = await createTroupeOverHttp(
    {
      handler(request) {
        const type = types.find((name) => systemOf(request).includes(`You are ${name}.`));
        if (type !== undefined) return parts[type] as FakeReply; // a key of the same object
        return { tools: types.map((name) => agentCall(name, { background: name !== 'asker' })) };
      },
    },
    {
      agents: types.map((name) => defineAgent(name)),
      tools: [tool],
      permissions: { ...ALLOW_ALL, alwaysAskRules: { session: ['Change'] } },
    },
  );
  const aborted: string[] = [];
  made.troupe.approvals.onRequest(
    ({ toolName }, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push(toolName);
          resolve(undefined);
        });
      }),
  );
  const open = async (session: ReturnType<typeof made.troupe.session>) => {
    let retries = 0;
    let streams = 0;
    session.events.on('agent.retry', () => (retries += 1));
    session.events.on('agent.stream', (_origin, { type }) => {
      if (type === 'content_block_delta') streams += 1;
    });
    await until(
      'all of it is open',
      () =>
        retries === 1 &&
        streams > 0 &&
        made.troupe.approvals.list().length === 1 &&
        countProcesses(String(seconds)) >= 2,
    );
  };
  return { ...made, open, ran, aborted, left: () => countProcesses(String(seconds)) };
}

describe('the end of a session from outside', () => {
  it('ends an ask, a stream, a wait for a retry and a shell that are open at once', async () => {
    const { troupe, open, ran, aborted, left } = await openEverything();
    const session = troupe.session({ prompt: 'Go.' });
    await open(session);
    const [first, second] = await Promise.all([session.kill('enough'), session.kill('again')]);
    expect(first).toEqual({ status: 'killed', reason: 'enough' });
    expect(second).toEqual(first);
    expect(left()).toBe(0);
    expect(aborted).toEqual(['Change']);
    expect(ran).toEqual([]);
    expect(troupe.approvals.list()).toEqual([]);
    expect(troupe.inspect().children).toEqual([]);
    await expectWhole(session);
    await expect(session.result).rejects.toMatchObject({ code: 'TASK_KILLED' });
  });

  it('comes with its signal, also if that was aborted before', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ tools: [bashCall('sleep 60')] }] }));
    const controller = new AbortController();
    const session = troupe.session({ prompt: 'Go.', signal: controller.signal });
    await until('the shell runs', () => session.tasks().length === 2);
    controller.abort();
    expect((await session.outcome).status).toBe('killed');
    const late = troupe.session({ prompt: 'Go.', signal: controller.signal });
    expect((await late.outcome).status).toBe('killed');
  });
});

describe('a session that is asked to end now', () => {
  const startsInBackground = (after: () => { text: string }) =>
    playParts({
      main: [
        { tools: [agentCall('worker', { name: 'ada', background: true })] },
        { text: 'It is under way.' },
        after,
      ],
      worker: [{ tools: [bashCall('sleep 60')] }, { text: 'Never.' }],
    });

  it.each([
    ['the session ends now', 'end'],
    ['the session is killed', 'kill'],
    ['the program closes', 'close'],
  ] as const)('asks the model no more about what that stopped: %s', async (_, how) => {
    let asked = 0;
    const after = () => ({ text: `Asked again ${(asked += 1)}.` });
    const { troupe } = await createTroupe(startsInBackground(after), {
      agents: [defineAgent('worker')],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const areIdle = (): boolean =>
      troupe.inspect().children[0]?.children[0]?.state.startsWith('idle') === true;
    await until('only the worker runs', () => session.tasks().length === 3 && areIdle());
    if (how === 'end') session.end({ now: true });
    else if (how === 'kill') void session.kill('enough');
    else void troupe.close('enough');
    const outcome = await session.outcome;
    expect(outcome).toEqual(
      how === 'end'
        ? { status: 'completed', result: 'It is under way.' }
        : { status: 'killed', reason: 'enough' },
    );
    expect(session.tasks().map(({ status }) => status)).not.toContain('running');
    expect(asked).toBe(0);
    await expectWhole(session);
  });

  it('interrupts its turn and is completed', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ tools: [bashCall('sleep 60')] }] }));
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await until('the shell runs', () => session.tasks().length === 2);
    session.end({ now: true });
    expect(await session.outcome).toEqual({ status: 'completed', result: '' });
    await expectWhole(session);
  });
});

describe('close', () => {
  it('completes a session that has answered and waits for the next prompt', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Hello.' }] }));
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await until('it waits', () => troupe.inspect().children[0]?.children[0]?.state === 'idle.open');
    await troupe.close();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Hello.' });
    await expectWhole(session);
  });

  it('ends everything, leaves nothing, and can be called twice', async () => {
    const { troupe, open, aborted, left } = await openEverything();
    const session = troupe.session({ prompt: 'Go.' });
    await open(session);
    await Promise.all([troupe.close('the test is over'), troupe.close()]);
    await troupe.close();
    expect(await session.outcome).toEqual({ status: 'killed', reason: 'the test is over' });
    expect(left()).toBe(0);
    expect(aborted).toEqual(['Change']);
    await expectWhole(session);
    expect(() => troupe.session({ prompt: 'More.' })).toThrow('The orchestrator is closed.');
  });

  it('of an orchestrator that did nothing writes nothing', async () => {
    const { troupe, home } = await createTroupe(playParts({ main: [{ text: 'Never.' }] }));
    await troupe.close();
    expect(troupe.inspect()).toMatchObject({ state: 'closed', children: [] });
    await expect(agentIds({ directory: home })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a tool that does not stop', () => {
  it('is torn off when the grace of the kill is over, and harms nobody when it ends later', async () => {
    const late = createGate();
    const tool = buildTool({
      name: 'Stubborn',
      inputSchema: z.object({}),
      call: async () => {
        await late.opened;
        return { data: 'too late' };
      },
    });
    const script = playParts({
      main: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
      worker: [{ tools: [{ name: 'Stubborn' }] }],
    });
    const time = createSimulatedTime();
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('worker')],
      tools: [tool],
      graceMs: 60_000,
      clock: time.clock,
      now: time.now,
    });
    const session = troupe.session({ prompt: 'Go.' });
    const stateOfCall = () => troupe.inspect().children[0]?.children[1]?.children[0]?.children[0];
    await until('the tool runs', () => stateOfCall()?.state === 'executing');
    const worker = session.tasks().find(({ type }) => type === 'local_agent');
    const ended = session.task(worker?.id ?? '')?.kill('enough');
    expect(session.task(worker?.id ?? '')?.status).toBe('running');
    time.advance(60_000);
    expect(await ended).toEqual({ status: 'killed', reason: 'enough' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    await troupe.close();
    late.open();
    await new Promise((resolve) => setImmediate(resolve)); // whatever it does now is nobody's error
  });
});

describe('two orchestrators in one process', () => {
  it('share nothing', async () => {
    const make = (word: string) =>
      createTroupe(
        playParts({
          main: [
            { tools: [agentCall('worker', { name: 'ann', background: true })] },
            { tools: [bashCall(`echo ${word} > word.txt`)] },
            { text: `${word} is done.` },
          ],
          worker: [{ tools: [{ name: 'Change', input: { what: word } }] }, { text: 'Report.' }],
        }),
        {
          agents: [defineAgent('worker')],
          tools: [createChangeTool().tool],
          permissions: { ...ALLOW_ALL, alwaysAskRules: { session: ['Change'] } },
        },
      );
    const made = [await make('red'), await make('blue')] as const;
    const asked = made.map(({ troupe }) => {
      const inputs: unknown[] = [];
      troupe.approvals.onRequest(({ input }) => {
        inputs.push(input['what']);
        return Promise.resolve({ behavior: 'allow' });
      });
      return inputs;
    });
    const sessions = made.map(({ troupe }) => troupe.session({ prompt: 'Go.' }));
    const outcomes = await Promise.all(sessions.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([
      { status: 'completed', result: 'red is done.' },
      { status: 'completed', result: 'blue is done.' },
    ]);
    expect(asked).toEqual([['red'], ['blue']]);
    expect(await Promise.all(made.map(({ text }) => text('word.txt')))).toEqual([
      'red\n',
      'blue\n',
    ]);
    for (const [index, session] of sessions.entries()) {
      const other = sessions[1 - index];
      for (const { id } of session.tasks()) expect(other?.task(id)).toBeUndefined();
      expect(session.directory.startsWith(made[index as 0 | 1].home)).toBe(true);
      await expectWhole(session);
    }
    await made[0].troupe.close();
    const more = made[1].troupe.session({ prompt: 'Go.' });
    expect((await more.outcome).status).toBe('completed');
  });
});

function systemOf({ body }: FakeRequest): string {
  return JSON.stringify(body['system']);
}
