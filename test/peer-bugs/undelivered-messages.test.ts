import { describe, expect, it } from 'vitest';
import type { InspectedActor } from '../../src/actors/contract/inspected-actor.js';
import type { ModelRequest } from '../../src/model/model.js';
import { createGate, type Gate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { createWaitTool } from '../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../support/scripts.js';
import { newestTold, sendCall, teammateCall } from '../support/team-script.js';
import { createTroupe, defineAgent } from '../support/troupe.js';
import { until } from '../processes/processes.js';

const AGENTS = [defineAgent('worker'), defineAgent('sub')];
const BACKGROUND = { background: true };

/** Results of tasks that a conversation was notified of. */
function toldResults({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] {
  return userTexts(messages).flatMap((text) => /<result>([^<]*)/.exec(text)?.slice(1) ?? []);
}

/** Messages of others in a conversation, in order. */
function toldMessages({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] {
  return userTexts(messages).flatMap(
    (text) => /^<message from="[^"]*">\n(.*)\n/.exec(text)?.slice(1) ?? [],
  );
}

/** Says that it runs, and runs until it may end. */
const createHeldTool = (runs: Gate, ends: Gate) =>
  createWaitTool(() => {
    runs.open();
    return ends.opened;
  });

const isIdle = (tree: InspectedActor, agent: string): boolean =>
  allActors(tree).some(
    ({ kind, label, state }) => kind === 'agent' && label === agent && state.startsWith('idle'),
  );

describe('what is sent arrives', () => {
  it('the ends of three agents, which come while their owner is in one long turn', async () => {
    let ended = 0;
    const told: (readonly string[])[] = [];
    const asked: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          {
            tools: [
              ...['one', 'two', 'three'].map((name) =>
                agentCall('worker', { ...BACKGROUND, name }),
              ),
              { name: 'Wait' },
            ],
          },
          ({ messages }) => {
            told.push(toldResults({ messages }));
            const ids = newestResults(messages).flatMap(
              (result) => /Task: (\w{9})/.exec(resultText(result))?.slice(1) ?? [],
            );
            return { tools: ids.map((id) => ({ name: 'TaskOutput', input: { task_id: id } })) };
          },
          ({ messages }) => {
            asked.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
        worker: [({ origin }) => ({ text: `Report of ${origin.name}` })],
      }),
      { agents: AGENTS, tools: [createWaitTool(() => until('all have ended', () => ended === 3))] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent' && status === 'completed') ended += 1;
    });
    expect((await session.outcome).status).toBe('completed');
    const reports = ['one', 'two', 'three'].map((name) => `Report of ${name}`);
    expect(told.map((each) => each.toSorted())).toEqual([reports.toSorted()]);
    expect(asked).toEqual(reports.map((report) => expect.stringContaining(report)));
  });

  it('the end of an agent that got a message in the middle of its work', async () => {
    const busy = createGate();
    const sent = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', { ...BACKGROUND, name: 'ann' })] },
          async () => {
            await busy.opened;
            return { tools: [sendCall('ann', 'How far are you?')] };
          },
          () => {
            sent.open();
            return { text: 'Waiting.' };
          },
          ({ messages }) => {
            told.push(...toldResults({ messages }));
            return { text: 'Done.' };
          },
        ],
        worker: [
          { tools: [{ name: 'Wait' }] },
          ({ messages }) => ({ text: `Answer to ${toldMessages({ messages }).join()}` }),
        ],
      }),
      {
        agents: AGENTS,
        tools: [createHeldTool(busy, sent)],
      },
    );
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(told).toEqual(['Answer to How far are you?']);
  });

  it('several messages to one that is busy: all of them, once, in their order', async () => {
    const busy = createGate();
    const sent = createGate();
    const lines = ['first', 'second', 'third'];
    const told: (readonly string[])[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', { ...BACKGROUND, name: 'ann' })] },
          async () => {
            await busy.opened;
            return { tools: lines.map((line) => sendCall('ann', line)) };
          },
          () => {
            sent.open();
            return { text: 'Waiting.' };
          },
          { text: 'Done.' },
        ],
        worker: [
          { tools: [{ name: 'Wait' }] },
          ({ messages }) => {
            told.push(toldMessages({ messages }));
            return { tools: [{ name: 'Glob', input: { pattern: '*' } }] };
          },
          ({ messages }) => {
            told.push(toldMessages({ messages }));
            return { text: 'Read.' };
          },
        ],
      }),
      {
        agents: AGENTS,
        tools: [createHeldTool(busy, sent)],
      },
    );
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(told).toEqual([lines, lines]);
  });

  it('a message that comes while its recipient says its last word: it continues with it', async () => {
    const speaks = createGate();
    const mayEnd = createGate();
    const told: (readonly string[])[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', { ...BACKGROUND, name: 'ann' })] },
          { text: 'Waiting.' },
        ],
        worker: [
          async () => {
            speaks.open();
            await mayEnd.opened;
            return { text: 'I am done.' };
          },
          ({ messages }) => {
            told.push(userTexts(messages).slice(1));
            return { text: 'I have read it.' };
          },
        ],
      }),
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await speaks.opened;
    const worker = session.tasks().find(({ type }) => type === 'local_agent');
    await session.task(worker?.id ?? '')?.send('One more thing.');
    mayEnd.open();
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual([[expect.stringContaining('One more thing.')]]);
    expect(await session.task(worker?.id ?? '')?.outcome).toEqual({
      status: 'completed',
      result: 'I have read it.',
    });
  });

  it('or its sender gets an error: to one that was killed, has failed, or never was', async () => {
    const ends: string[] = [];
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          {
            tools: ['killed', 'failed', 'completed'].map((name) =>
              agentCall(name === 'failed' ? 'sub' : 'worker', { ...BACKGROUND, name }),
            ),
          },
          async () => {
            await until('all have ended', () => ends.length === 3);
            return {
              tools: ['killed', 'failed', 'completed', 'nobody'].map((to) =>
                sendCall(to, 'Hello?'),
              ),
            };
          },
          ({ messages }) => {
            told.push(
              ...newestResults(messages).map(
                (result) => `${result.is_error} ${resultText(result)}`,
              ),
            );
            return { text: 'Done.' };
          },
        ],
        worker: [
          ({ origin }) =>
            origin.name === 'killed' ? { tools: [bashCall('sleep 600')] } : { text: 'Done.' },
        ],
        sub: [{ tools: [{ name: 'Glob', input: { pattern: '*' } }] }],
      }),
      { agents: [defineAgent('worker'), defineAgent('sub', { maxTurns: 1 })] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status, id }) => {
      if (type === 'local_bash' && status === 'running') {
        const owner = session.tasks().find((task) => task.id === id)?.parentId;
        void session.task(owner ?? '')?.kill('enough');
      }
      if (type === 'local_agent' && !['pending', 'running'].includes(status)) ends.push(status);
    });
    expect((await session.outcome).status).toBe('completed');
    expect(ends.toSorted()).toEqual(['completed', 'failed', 'killed']);
    expect(told).toEqual([
      expect.stringMatching(/^true The message was not sent: "killed" has ended \(killed\)/),
      expect.stringMatching(/^true The message was not sent: "failed" has ended \(failed\)/),
      expect.stringMatching(/^true The message was not sent: "completed" has ended \(completed\)/),
      expect.stringMatching(/^true The message was not sent: there is no agent "nobody"/),
    ]);
  });

  it('the end of a sub-agent’s own agent, if the sub-agent has nothing else to do', async () => {
    const mayEnd = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', BACKGROUND)] },
          { text: 'Waiting.' },
          { text: 'Done.' },
        ],
        worker: [
          { tools: [agentCall('sub', BACKGROUND)] },
          { text: 'Waiting.' },
          ({ messages }) => {
            told.push(...toldResults({ messages }));
            return { text: 'Done.' };
          },
        ],
        sub: [{ tools: [{ name: 'Wait' }] }, { text: 'Found it.' }],
      }),
      { agents: AGENTS, tools: [createWaitTool(() => mayEnd.opened)] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await until('it has nothing to do', () => isIdle(troupe.inspect(), 'worker'));
    mayEnd.open();
    expect((await session.outcome).status).toBe('completed');
    expect(told).toEqual(['Found it.']);
  });

  it('a teammate’s report to a lead that has nothing to do', async () => {
    const mayReport = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
          { tools: [teammateCall('ann')] },
          { text: 'Waiting.' },
          (request) => {
            told.push(newestTold(request));
            return { text: 'Done.' };
          },
        ],
        worker: [
          { tools: [{ name: 'Wait' }] },
          { tools: [sendCall('lead', 'The bug is in split.js.')] },
          { text: 'Ready.' },
        ],
      }),
      { agents: AGENTS, tools: [createWaitTool(() => mayReport.opened)] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await until('the lead has nothing to do', () => isIdle(troupe.inspect(), 'main'));
    mayReport.open();
    expect((await session.outcome).status).toBe('completed');
    expect(told.filter((text) => text.includes('The bug is in split.js.'))).toHaveLength(1);
  });

  it('a message to an agent that waits for room to start: with its first request', async () => {
    const mayEnd = createGate();
    const told: (readonly string[])[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          {
            tools: [
              agentCall('worker', { ...BACKGROUND, name: 'ann' }),
              agentCall('sub', { ...BACKGROUND, name: 'ben' }),
            ],
          },
          { tools: [sendCall('ben', 'Use tabs.')] },
          () => {
            mayEnd.open();
            return { text: 'Waiting.' };
          },
          { text: 'Done.' },
        ],
        worker: [
          async () => {
            await mayEnd.opened;
            return { text: 'Done.' };
          },
        ],
        sub: [
          ({ messages }) => {
            told.push(toldMessages({ messages }));
            return { text: 'Done.' };
          },
        ],
      }),
      { agents: AGENTS, maxConcurrentAgents: 1 },
    );
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(told).toEqual([['Use tabs.']]);
  });
});
