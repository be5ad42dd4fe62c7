import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../src/actors/contract/handles.js';
import type { ModelRequest } from '../../src/model/model.js';
import type { ScriptFunction } from '../../src/model/scripted/scripted-model.js';
import { createGate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { agentIds } from '../support/journals.js';
import { agentCall, newestResults, playParts, resultText } from '../support/scripts.js';
import { sendCall, teammateCall } from '../support/team-script.js';
import { createTroupe, defineAgent } from '../support/troupe.js';

const FAN_OUT = 5;
const BREEDERS = [defineAgent('breeder')];

/** Every agent starts five of its own kind, then says that it is done; with what of that was refused. */
function createBreeders(isBackgrounded: boolean) {
  const refusals: string[] = [];
  let calls = 0;
  const call = agentCall('breeder', { background: isBackgrounded });
  const breed = [
    { tools: Array.from({ length: FAN_OUT }, () => call) },
    ({ messages }: ModelRequest) => {
      const refused = newestResults(messages).filter(({ is_error }) => is_error === true);
      refusals.push(...refused.map(resultText));
      return { text: 'Done.' };
    },
    { text: 'Done.' },
  ];
  const play = playParts({ main: breed, breeder: breed });
  const script: ScriptFunction = (request) => {
    calls += 1;
    return play(request);
  };
  return { refusals, script, calls: () => calls };
}

/** How the tasks of a session have ended: a status, or the code of a failure. */
function endsOf(session: SessionHandle): ReadonlySet<string> {
  return new Set(
    session
      .tasks()
      .map(({ status, outcome }) => (outcome?.status === 'failed' ? outcome.failure.code : status)),
  );
}

describe('a tree stays within its bounds', () => {
  it.each([false, true])(
    'when every agent starts five of its own kind, in the background: %s',
    async (isBackgrounded) => {
      const { refusals, script } = createBreeders(isBackgrounded);
      const { troupe } = await createTroupe(script, { agents: BREEDERS, maxDepth: 2 });
      const session = troupe.session({ prompt: 'Go.' });
      expect((await session.outcome).status).toBe('completed');
      const lowest = FAN_OUT ** 2;
      expect(await agentIds(session)).toHaveLength(1 + FAN_OUT + lowest);
      expect(refusals).toEqual(
        Array.from({ length: lowest * FAN_OUT }, () =>
          expect.stringContaining('agents may be at most 2 deep'),
        ),
      );
      expect(endsOf(session)).toEqual(new Set(['completed']));
    },
  );

  it('of model calls of all its agents together, those in the background included', async () => {
    const { script, calls } = createBreeders(true);
    const { troupe } = await createTroupe(script, { agents: BREEDERS });
    const session = troupe.session({ prompt: 'Go.', taskBudget: { turns: 20 } });
    await session.outcome;
    expect(calls()).toBe(20);
    expect(endsOf(session)).toContain('BUDGET_EXCEEDED');
    expect(session.tasks().filter(({ status }) => /pending|running/.test(status))).toEqual([]);
  });

  it('of agents that are alive at once, and an agent that asks for more gets an error', async () => {
    const { refusals, script } = createBreeders(true);
    let most = 0;
    let session: SessionHandle | undefined;
    const { troupe } = await createTroupe(
      (request) => {
        const live = session
          ?.tasks()
          .filter(({ type, status }) => type === 'local_agent' && /pending|running/.test(status));
        most = Math.max(most, live?.length ?? 0);
        return script(request);
      },
      { agents: BREEDERS, maxDepth: 4 },
    );
    session = troupe.session({ prompt: 'Go.', taskBudget: { agents: 7 } });
    expect((await session.outcome).status).toBe('completed');
    expect(most).toBe(7);
    expect(refusals.filter((text) => !/agents|deep/.test(text))).toEqual([]);
    expect(refusals.length).toBeGreaterThan(0);
  });

  it('when it is killed in the middle of its growth: nothing more is started', async () => {
    const { script } = createBreeders(true);
    const grown = createGate();
    let requests = 0; // counted when they come in: those under way at the kill are no new ones
    const { troupe } = await createTroupe(
      async (request) => {
        requests += 1;
        if (requests === 60) grown.open();
        await new Promise((resolve) => setImmediate(resolve)); // as a model takes its time
        return script(request);
      },
      { agents: BREEDERS, maxDepth: 50 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await grown.opened;
    expect(await session.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    const [tasks, asked] = [session.tasks().length, requests];
    expect(troupe.inspect().children).toEqual([]);
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([session.tasks().length, requests]).toEqual([tasks, asked]);
    expect([...endsOf(session)].filter((end) => /pending|running/.test(end))).toEqual([]);
  });

  it('when an agent is continued: it is as deep as it was', async () => {
    const told: string[] = [];
    const tries = ({ messages }: ModelRequest) => {
      told.push(...newestResults(messages).map(resultText));
      return { text: 'Tried.' };
    };
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('breeder')] },
          ({ messages }) => {
            const text = newestResults(messages).map(resultText).join();
            const resume = /\[Agent: (\S+), for resume\]/.exec(text)?.[1] ?? '';
            const { name, input } = agentCall('breeder', { prompt: 'Again.' });
            return { tools: [{ name, input: { ...input, resume } }] };
          },
          { text: 'Done.' },
        ],
        breeder: [
          { tools: [agentCall('breeder')] },
          tries,
          { tools: [agentCall('breeder')] },
          tries,
        ],
      }),
      { agents: BREEDERS, maxDepth: 1 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual([
      expect.stringContaining('agents may be at most 1 deep'),
      expect.stringContaining('agents may be at most 1 deep'),
    ]);
    expect(await agentIds(session)).toHaveLength(2);
  });

  it('when two teammates thank each other for ever', async () => {
    let calls = 0;
    const play = playParts({
      main: [
        { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
        { tools: ['ann', 'ben'].map((name) => teammateCall(name)) },
        { text: 'Waiting.' },
      ],
      ann: [{ tools: [sendCall('ben', 'Thank you.')] }],
      ben: [{ tools: [sendCall('ann', 'Thank you.')] }],
    });
    const { troupe } = await createTroupe(
      (request) => {
        calls += 1;
        return play(request);
      },
      { agents: [defineAgent('worker')] },
    );
    const session = troupe.session({ prompt: 'Go.', taskBudget: { turns: 40 } });
    await session.outcome;
    expect(calls).toBe(40);
    expect(endsOf(session)).toContain('BUDGET_EXCEEDED');
    expect(allActors(troupe.inspect()).filter(({ kind }) => kind === 'agent')).toEqual([]);
  });
});
