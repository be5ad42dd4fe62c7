import { describe, expect, it } from 'vitest';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { createGate } from '../support/gate.js';
import { allActors, waitsOf } from '../support/inspected.js';
import { fixture } from '../support/mcp/servers.js';
import { createChangeTool, createWaitTool } from '../support/probe-tools.js';
import { agentCall, bashCall, playParts } from '../support/scripts.js';
import { createSimulatedTime } from '../support/simulated-time.js';
import { ASK_FIRST, createTroupe, createTroupeOverHttp, defineAgent } from '../support/troupe.js';
import { until } from '../processes/processes.js';

const AGENTS = [defineAgent('worker')];
const MINUTE_MS = 60_000;

/** A session whose agent gets this reply over HTTP, at a time that stands still unless it is moved. */
async function ask(reply: FakeReply) {
  const time = createSimulatedTime();
  const made = await createTroupeOverHttp(
    { handler: () => reply },
    { modelName: 'claude-sonnet-5-5', clock: time.clock, now: time.now },
  );
  const session = made.troupe.session({ prompt: 'Go.' });
  return {
    time,
    session,
    waits: () => waitsOf(made.troupe.inspect(), 'main') ?? [],
    since: () => allActors(made.troupe.inspect()).find(({ kind }) => kind === 'agent')?.since,
  };
}

const iso = (at: number): string => new Date(at).toISOString();

describe('what is waited for is seen', () => {
  it.each([
    { status: 429, before: ['the rate limit of claude-sonnet-5-5'] },
    { status: 529, before: [] },
  ])('a retry after $status, from its first moment on: when it comes, and why', async (answer) => {
    const { status, before } = answer;
    const { time, session, waits, since } = await ask({
      status,
      headers: { 'retry-after': '40' },
    });
    const at = time.now();
    await until('it waits', () => waits().some((wait) => wait.startsWith('retry 1')));
    const seen = waits();
    const retry = seen.at(-1) ?? '';
    expect(seen.slice(0, -1)).toEqual(before.map((wait) => `${wait} until ${iso(at + 40_000)}`));
    expect(retry).toMatch(
      new RegExp(`^retry 1 of the model request at \\S+Z \\(.*\\b${status}\\b.*\\)$`),
    );
    const retryAt = Date.parse(/at (\S+Z)/.exec(retry)?.[1] ?? '');
    expect(retryAt - at).toBeGreaterThanOrEqual(40_000);
    time.advance(39_000);
    expect([waits(), since()]).toEqual([seen, at]);
    await session.kill();
  });

  it('a model that has not said a word, for as long as that is', async () => {
    const { time, session, waits } = await ask({ connection: 'silent' });
    const wait = `the first event of the model, requested at ${iso(time.now())}`;
    await until('it was asked', () => waits()[0] === wait);
    time.advance(4 * MINUTE_MS);
    expect(waits()).toEqual([wait]);
    await session.kill();
  });

  it('a sub-agent that works, by each sign of life of its model', async () => {
    const gates = [createGate(), createGate()];
    const time = createSimulatedTime();
    const { troupe } = await createTroupeOverHttp(
      {
        handler: ({ body }) =>
          JSON.stringify(body['system']).includes('You are worker.')
            ? { text: 'One. Two.', gate: (index) => gates[index - 3]?.opened }
            : { tools: [agentCall('worker')] },
      },
      { agents: AGENTS, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ prompt: 'Go.', maxTurns: 1 });
    const heard = (): string | undefined => waitsOf(troupe.inspect(), 'worker')?.[0];
    const first = `the next event of the model, the last one came at ${iso(time.now())}`;
    await until('it speaks', () => heard() === first);
    const worker = session.tasks().find(({ type }) => type === 'local_agent')?.id;
    expect(waitsOf(troupe.inspect(), 'Agent(worker)', 'toolCall')).toEqual([
      `the end of ${worker}`,
    ]);
    time.advance(MINUTE_MS);
    expect(heard()).toBe(first);
    gates[0]?.open();
    await until(
      'it has continued',
      () => heard() === `the next event of the model, the last one came at ${iso(time.now())}`,
    );
    gates[1]?.open();
    await session.outcome;
  });

  it('an ask: since when, and who could answer it', async () => {
    const time = createSimulatedTime();
    const { tool } = createChangeTool();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('worker', { background: true })] }, { text: 'Waiting.' }],
        worker: [{ tools: [{ name: 'Change', input: { what: 'it' } }] }],
      }),
      {
        agents: AGENTS,
        tools: [tool],
        permissions: ASK_FIRST,
        clock: time.clock,
        now: time.now,
      },
    );
    const at = time.now();
    for (const by of ['ann', 'ben'])
      troupe.approvals.onRequest(() => new Promise(() => {}), { by });
    const session = troupe.session({ prompt: 'Go.' });
    await until('it is asked', () => troupe.approvals.list().length === 1);
    time.advance(MINUTE_MS);
    const [request] = troupe.approvals.list();
    const actors = allActors(troupe.inspect());
    const seen = (kind: string) => {
      const actor = actors.find((one) => one.kind === kind);
      return [actor?.state, actor?.since, actor?.waitingFor];
    };
    expect(seen('permissionRequest')).toEqual(['waiting', at, ['a decision by ann or ben']]);
    expect(seen('toolCall')).toEqual([
      'deciding.asking',
      at,
      [`a decision on ${request?.requestId} by ann or ben`],
    ]);
    await session.kill();
  });

  it('a call behind another one, which has its own reason', async () => {
    const never = createGate();
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [{ name: 'Wait' }, bashCall('true')] }] }),
      { tools: [createWaitTool(() => never.opened)] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const calls = () => allActors(troupe.inspect()).filter(({ kind }) => kind === 'toolCall');
    await until(
      'both are there, and the first one runs',
      () => calls().length === 2 && calls()[0]?.state === 'executing',
    );
    expect(calls().map(({ label, waitingFor }) => `${label}: ${waitingFor.join()}`)).toEqual([
      'Wait(Wait): the result of its tool',
      'Bash(true): the calls before it',
    ]);
    await session.kill();
  });

  it('hooks that take their time, by their names', async () => {
    const never = createGate<undefined>();
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [{ name: 'Glob', input: { pattern: '*' } }] }] }),
      {
        hooks: {
          PreToolUse: [
            {
              hooks: [
                function asksTheOffice() {
                  return never.opened;
                },
              ],
            },
            { hooks: [{ type: 'command', command: 'sleep 600' }] },
          ],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const call = () => waitsOf(troupe.inspect(), 'Glob(Find *)', 'toolCall') ?? [];
    await until('both run', () => call().length === 2);
    expect(call()).toEqual(['the hook asksTheOffice', 'the hook sleep 600']);
    await until('the command is there', () => troupe.inspect().children[0]?.pid !== undefined);
    await session.kill();
    never.open(undefined);
  });

  it('servers that the first request waits for', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }), {
      mcpServers: { quick: fixture(), mute: fixture(['--mute']) },
    });
    const session = troupe.session({ prompt: 'Go.' });
    const waits = () => waitsOf(troupe.inspect(), 'main');
    await until('one is left', () => waits()?.length === 1);
    expect(waits()).toEqual(['the MCP server mute']);
    const [server] = allActors(troupe.inspect()).filter(({ label }) => label === 'mute');
    expect(server).toMatchObject({
      state: 'connecting',
      waitingFor: ['the first answer of the server'],
      pid: expect.any(Number),
    });
    await session.kill();
  });
});
