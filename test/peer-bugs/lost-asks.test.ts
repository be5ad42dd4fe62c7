import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '../../src/core/events.js';
import { createGate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { createChangeTool } from '../support/probe-tools.js';
import { agentCall, newestResults, playParts, resultText } from '../support/scripts.js';
import { createSimulatedTime } from '../support/simulated-time.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../support/troupe.js';
import { until } from '../processes/processes.js';

const ALLOW = { behavior: 'allow' } as const;
const AGENTS = [defineAgent('lead'), defineAgent('worker')];
const A_DAY_MS = 24 * 60 * 60 * 1_000;

const change = (what: string) => ({ name: 'Change', input: { what } });
const whatOf = ({ input }: PermissionRequest): string => String(input['what']);

/** Shows asks and answers none of them by itself. */
function createScreen() {
  const shown: PermissionRequest[] = [];
  const gone: string[] = [];
  const show = (request: PermissionRequest, { signal }: { readonly signal: AbortSignal }) => {
    shown.push(request);
    return new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => {
        gone.push(whatOf(request));
        resolve(undefined);
      });
    });
  };
  return { shown, gone, show };
}

/** A worker in the background, below a lead in the background, that changes something. */
const TWO_DEEP = {
  main: [{ tools: [agentCall('lead', { background: true })] }, { text: 'Waiting.' }],
  lead: [{ tools: [agentCall('worker', { background: true })] }, { text: 'Waiting.' }],
  worker: [{ tools: [change('it')] }, { text: 'Changed.' }],
};

describe('an ask is not lost', () => {
  it('when seven sub-agents ask at once: none takes the place of another', async () => {
    const { tool, ran } = createChangeTool();
    const names = Array.from({ length: 7 }, (_, index) => `worker ${index}`);
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: names.map((name) => agentCall('worker', { name, background: true })) },
          { text: 'Done.' },
        ],
        worker: [({ origin }) => ({ tools: [change(origin.name ?? '')] }), { text: 'Changed.' }],
      }),
      { agents: AGENTS, tools: [tool], permissions: ASK_FIRST },
    );
    const screen = createScreen();
    troupe.approvals.onRequest(screen.show);
    const session = troupe.session({ prompt: 'Go.' });
    await until('all are shown', () => screen.shown.length === names.length);
    expect(troupe.approvals.list().map(whatOf).toSorted()).toEqual(names);
    for (const request of screen.shown.toReversed())
      expect(await troupe.approvals.decide(request.requestId, ALLOW)).toEqual({
        status: 'accepted',
      });
    expect((await session.outcome).status).toBe('completed');
    expect(ran.toSorted()).toEqual(names);
    expect(screen.shown).toHaveLength(names.length);
  });

  it('when it comes from two levels down and all above it have nothing to do', async () => {
    const { tool, ran } = createChangeTool();
    const { troupe } = await createTroupe(playParts(TWO_DEEP), {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
    });
    const states: string[] = [];
    troupe.approvals.onRequest(async ({ agentId }) => {
      const idle = () =>
        allActors(troupe.inspect()).filter(({ kind, id }) => kind === 'agent' && id !== agentId);
      await until('both rest', () => idle().every(({ state }) => state.startsWith('idle')));
      states.push(...idle().map(({ label, state }) => `${label} ${state}`));
      return ALLOW;
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(states).toEqual(['main idle.waiting', 'lead idle.waiting']);
    expect(ran).toEqual(['it']);
  });

  it('when a hook that is asked beside people never answers', async () => {
    const { tool, ran } = createChangeTool();
    const asked = createGate();
    const stopped = createGate();
    const { troupe } = await createTroupe(playParts(TWO_DEEP), {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
      hooks: {
        PermissionRequest: [
          {
            hooks: [
              (_input, _id, { signal }) => {
                asked.open();
                return new Promise((resolve) => {
                  signal.addEventListener('abort', () => {
                    stopped.open();
                    resolve(undefined);
                  });
                });
              },
            ],
          },
        ],
      },
    });
    troupe.approvals.onRequest(async () => {
      await asked.opened;
      return ALLOW;
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    await stopped.opened;
    expect(ran).toEqual(['it']);
  });

  it('when nobody answers for a day: no time makes a refusal of it', async () => {
    const { tool, ran } = createChangeTool();
    const time = createSimulatedTime();
    const { troupe } = await createTroupe(playParts(TWO_DEEP), {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
      clock: time.clock,
      now: time.now,
    });
    const screen = createScreen();
    troupe.approvals.onRequest(screen.show);
    const session = troupe.session({ prompt: 'Go.' });
    await until('it is shown', () => screen.shown.length === 1);
    for (let hours = 0; hours < 24; hours += 1) time.advance(A_DAY_MS / 24);
    const [request] = troupe.approvals.list();
    expect([request && whatOf(request), screen.gone]).toEqual(['it', []]);
    await troupe.approvals.decide(request?.requestId ?? '', ALLOW);
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual(['it']);
  });

  it('when a screen goes away and another comes: that one is shown it, and answers', async () => {
    const { tool, ran } = createChangeTool();
    const { troupe } = await createTroupe(playParts(TWO_DEEP), {
      agents: AGENTS,
      tools: [tool],
      permissions: ASK_FIRST,
    });
    const screens = [createScreen(), createScreen(), createScreen()] as const;
    troupe.approvals.onRequest(screens[0].show);
    const detach = troupe.approvals.onRequest(screens[1].show);
    const session = troupe.session({ prompt: 'Go.' });
    await until('it is shown', () => screens[1].shown.length === 1);
    detach();
    troupe.approvals.onRequest(screens[2].show);
    expect(screens[2].shown.map(whatOf)).toEqual(['it']);
    await troupe.approvals.decide(screens[2].shown[0]?.requestId ?? '', ALLOW);
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual(['it']);
  });

  it('and is removed from every screen when its asker is killed, and no approver sees that as a refusal', async () => {
    const { tool, ran } = createChangeTool();
    const seen: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker')] },
          ({ messages }) => {
            seen.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
        worker: [{ tools: [change('it')] }],
      }),
      { agents: AGENTS, tools: [tool], permissions: ASK_FIRST },
    );
    const screen = createScreen();
    troupe.approvals.onRequest(screen.show);
    const session = troupe.session({ prompt: 'Go.' });
    await until('it is shown', () => screen.shown.length === 1);
    const [request] = screen.shown;
    await session.task(request?.taskId ?? '')?.kill('not needed');
    expect((await session.outcome).status).toBe('completed');
    expect([screen.gone, troupe.approvals.list(), ran]).toEqual([['it'], [], []]);
    expect(await troupe.approvals.decide(request?.requestId ?? '', ALLOW)).toEqual({
      status: 'cancelled',
    });
    expect(seen).toEqual([expect.stringContaining('not needed')]);
    expect(seen[0]).not.toMatch(/refus|denied/i);
  });
});
