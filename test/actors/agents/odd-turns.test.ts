import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { eventsOf } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { createChangeTool, createWaitTool } from '../../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import {
  ASK_FIRST,
  createTroupe,
  createTroupeOverHttp,
  defineAgent,
} from '../../support/troupe.js';
import { until } from '../../processes/processes.js';

describe('a turn', () => {
  it('with two tool uses of the same ID runs both, each with its own ID', async () => {
    const { tool, ran } = createChangeTool();
    const call = (what: string) => ({ name: 'Change', input: { what } });
    const events = eventsOf({ tools: [call('one'), call('two')] }).map(
      (event) =>
        JSON.parse(
          JSON.stringify(event).replace('toolu_fake_0_1', 'toolu_fake_0_0'),
        ) as typeof event,
    );
    const { troupe, api } = await createTroupeOverHttp(
      { replies: [{ events }], handler: () => ({ text: 'Done.' }) },
      { tools: [tool] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const streamed: unknown[] = [];
    session.events.on('agent.stream', (_origin, event) => streamed.push(event['content_block']));
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    expect(ran).toEqual(['one', 'two']);
    const ids = ['toolu_fake_0_0', 'toolu_1_1'];
    expect(api.requests[1]?.body.messages[1]?.content).toMatchObject(ids.map((id) => ({ id })));
    expect(streamed.filter(Boolean).slice(0, 2)).toMatchObject(ids.map((id) => ({ id })));
  });

  it('that uses an id of an earlier turn gets another one, also when the session is resumed', async () => {
    const { tool, ran } = createChangeTool();
    const call = (what: string) => ({ name: 'Change', input: { what } });
    const counted = (what: string) => ({
      events: eventsOf({ tools: [call(what)] }, { sequence: 0 }),
    });
    const answers = [counted('one'), counted('two'), { text: 'Done.' }];
    const { troupe, api } = await createTroupeOverHttp(
      { replies: [...answers, counted('three'), { text: 'Done again.' }] },
      { tools: [tool] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const again = troupe.session({ prompt: 'Once more.', resume: session.sessionId });
    expect(await again.outcome).toEqual({ status: 'completed', result: 'Done again.' });
    expect(api.problems).toEqual([]);
    expect(ran).toEqual(['one', 'two', 'three']);
    const ids = (api.requests.at(-1)?.body.messages ?? []).flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content.map(({ id }) => id) : [],
    );
    expect(ids).toEqual(['toolu_fake_0_0', 'toolu_2_1', undefined, 'toolu_4_1']);
  });

  it('that is interrupted while it asks withdraws the ask', async () => {
    const { tool, ran } = createChangeTool();
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        { tools: [{ name: 'Change', input: { what: 'it' } }] },
        ({ messages }: ModelRequest) => {
          results.push(...newestResults(messages));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { tools: [tool], permissions: ASK_FIRST });
    const asked = createGate();
    troupe.approvals.onRequest(() => {
      asked.open();
      return Promise.resolve(undefined);
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await asked.opened;
    const idle = new Promise((resolve) => session.events.once('agent.idle', resolve));
    session.interrupt();
    await idle;
    expect(troupe.approvals.list()).toEqual([]);
    await session.prompt('What now?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(ran).toEqual([]);
    expect(results.map(resultText)).toEqual(['Interrupted by the user before it was done.']);
    expect(await linesOf(session, 'audit.jsonl', 'permission.cancelled')).toHaveLength(1);
  });

  it('cancels the tools that give way to a new prompt, and no others', async () => {
    const started = createGate();
    const finish = createGate();
    const yields = buildTool({
      name: 'Yields',
      inputSchema: z.object({}),
      isConcurrencySafe: () => true,
      isReadOnly: () => true,
      interruptBehavior: () => 'cancel',
      call: (
        _input,
        {
          call: {
            abortController: { signal },
          },
        },
      ) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            finish.open();
            reject(signal.reason as Error);
          });
          started.open();
        }),
    });
    const seen: string[][] = [];
    const script = playParts({
      main: [
        { tools: [{ name: 'Wait', input: { what: 'on' } }, { name: 'Yields' }] },
        ({ messages }: ModelRequest) => {
          seen.push(newestResults(messages).map(resultText), [...userTexts(messages.slice(-1))]);
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, {
      tools: [yields, createWaitTool(() => finish.opened)],
    });
    const session = troupe.session({ prompt: 'Go.' });
    await started.opened;
    await session.prompt('Never mind.');
    expect((await session.outcome).status).toBe('completed');
    expect(seen).toEqual([
      ['waited on', 'Interrupted by the user before it was done.'],
      ['Never mind.'],
    ]);
  });

  it('with an empty reply ends, and the next prompt is answered', async () => {
    const events = eventsOf({}).filter(({ type }) => !type.startsWith('content_block'));
    const { troupe, api } = await createTroupeOverHttp({
      replies: [{ events }, { text: 'Done.' }],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await new Promise((resolve) => session.events.once('agent.idle', resolve));
    await session.prompt('Again.');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
  });

  it('that fails ends what it had started', async () => {
    const script = playParts({
      main: [
        {
          tools: [
            agentCall('worker', { background: true }),
            bashCall('sleep 60', { background: true }),
          ],
        },
        () => {
          throw new Error('the model is gone');
        },
      ],
      worker: [{ tools: [bashCall('sleep 60')] }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('worker')] });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('failed');
    const ends = session.tasks().filter(({ id }) => id !== session.id);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['killed']));
  });

  it('waits for the agents that it left in the background, also when no more input comes', async () => {
    const finish = createGate();
    const script = playParts({
      main: [
        { tools: [agentCall('worker', { background: true })] },
        { text: 'Waiting.' },
        { text: 'Done.' },
      ],
      worker: [{ tools: [{ name: 'Wait' }] }, { text: 'Report.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('worker')],
      tools: [createWaitTool(() => finish.opened)],
    });
    const session = troupe.session({ prompt: 'Go.' });
    session.end();
    await until(
      'it waits',
      () => troupe.inspect().children[0]?.children[0]?.state === 'idle.waiting',
    );
    session.interrupt(); // there is nothing to interrupt
    finish.open();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  });
});

describe('a child that is refused', () => {
  it('is an error that says why, and leaves nothing', async () => {
    const results: ToolResultBlock[] = [];
    const nest = [{ tools: [agentCall('deeper')] }, { text: 'Done.' }];
    const script = playParts({
      main: nest,
      deeper: [
        { tools: [agentCall('deeper')] },
        ({ messages }: ModelRequest) => {
          results.push(...newestResults(messages));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('deeper')], maxDepth: 2 });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(results.map(resultText)[0]).toContain('agents may be at most 2 deep');
    expect(session.tasks()).toHaveLength(3);
    await expect(session.spawn({ prompt: 'Late.' })).rejects.toMatchObject({
      name: 'TaskRefusedError',
    });
  });

  it('of a program is a rejection', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    const session = troupe.session();
    await expect(session.spawn({ prompt: 'Go.', agent: 'nobody' })).rejects.toThrow(
      'there is no agent type "nobody"',
    );
    session.end();
    expect((await session.outcome).status).toBe('completed');
  });
});
