import { describe, expect, it } from 'vitest';
import { createGate } from '../../support/gate.js';
import { createWaitTool } from '../../support/probe-tools.js';
import { agentCall, bashCall, playParts, userTexts } from '../../support/scripts.js';
import { createTroupe, createTroupeOverHttp, defineAgent } from '../../support/troupe.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';

const AGENTS = [defineAgent('worker'), defineAgent('other')];
const isNotification = (text: string): boolean => text.startsWith('<task-notification>');

describe('the end of a background task', () => {
  it('is one user block in the next request of its owner, which was idle', async () => {
    const seen: string[][] = [];
    const mayEnd = createGate();
    const script = playParts({
      main: [
        { tools: [agentCall('worker', { background: true })] },
        { text: 'Waiting.' },
        ({ messages }) => {
          seen.push([...userTexts(messages)]);
          return { text: 'Done.' };
        },
      ],
      worker: [
        async () => {
          await mayEnd.opened;
          return { text: 'The report.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { agents: AGENTS });
    const session = troupe.session({ prompt: 'Go.' });
    let messages = 0;
    session.events.on('agent.message', ({ taskId }, { role }) => {
      if (taskId !== session.id || role !== 'assistant') return;
      messages += 1;
      if (messages === 2) mayEnd.open(); // it has said that it waits
    });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toHaveLength(2);
    expect(seen[0]?.[1]).toContain('<result>The report.</result>');
    const worker = session.tasks().find(({ type }) => type === 'local_agent');
    expect(worker?.notified).toBe(true);
  });

  it('is one user block, with the results, if its owner was acting', async () => {
    const ended = createGate();
    const seen: unknown[] = [];
    const script = playParts({
      main: [
        { tools: [agentCall('worker', { background: true }), { name: 'Wait' }] },
        ({ messages }) => {
          seen.push(
            messages
              .at(-1)
              ?.content.map((block) =>
                block.type === 'text' ? block.text.split('\n')[0] : block.type,
              ),
          );
          return { text: 'Done.' };
        },
      ],
      worker: [{ text: 'The report.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [createWaitTool(() => ended.opened)],
    });
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent' && status === 'completed') ended.open();
    });
    expect((await session.outcome).status).toBe('completed');
    expect(seen).toEqual([['tool_result', 'tool_result', '<task-notification>']]);
  });

  it('is one user block in the request after the one that was streaming', async () => {
    const ended = createGate();
    const streaming = createGate();
    const { troupe, api } = await createTroupeOverHttp(
      {
        async handler(request) {
          if (systemOf(request).includes('You are worker.')) {
            await streaming.opened;
            return { text: 'The report.' };
          }
          if (request.body.messages.length === 1)
            return { tools: [agentCall('worker', { background: true })] };
          if (request.body.messages.length > 3) return { text: 'Done.' };
          return {
            text: 'In the middle of a reply.',
            gate(index) {
              if (index !== 3) return;
              streaming.open();
              return ended.opened;
            },
          };
        },
      },
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent' && status === 'completed') ended.open();
    });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const own = api.requests.filter((request) => !systemOf(request).includes('You are worker.'));
    expect(own.map((request) => textsOf(request).filter(isNotification).length)).toEqual([0, 0, 1]);
    expect(api.problems).toEqual([]);
  });

  it('comes once each when several end at once, shells among them', async () => {
    const seen: string[][] = [];
    const mayEnd = createGate();
    const background = { background: true };
    const script = playParts({
      main: [
        {
          tools: [
            agentCall('worker', background),
            agentCall('other', background),
            bashCall('exit 0', background),
            bashCall('exit 4', background),
            { name: 'Wait' },
          ],
        },
        ({ messages }) => {
          seen.push([...userTexts(messages)]);
          return { text: 'Done.' };
        },
      ],
      worker: [{ text: 'One.' }],
      other: [{ text: 'Two.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: AGENTS,
      tools: [createWaitTool(() => mayEnd.opened)],
    });
    const session = troupe.session({ prompt: 'Go.' });
    let ends = 0;
    session.events.on('task.status', ({ status }) => {
      if (status === 'completed' || status === 'failed') ends += 1;
      if (ends === 4) mayEnd.open();
    });
    expect((await session.outcome).status).toBe('completed');
    expect(seen).toHaveLength(1);
    const results = seen[0]?.filter(isNotification).map((text) => /<result>(.*)</.exec(text)?.[1]);
    expect(results?.toSorted()).toEqual(['One.', 'Two.', 'exit code 0', 'exit code 4']);
  });

  it('in the foreground makes none', async () => {
    const seen: string[][] = [];
    const script = playParts({
      main: [
        { tools: [agentCall('worker'), bashCall('true')] },
        ({ messages }) => {
          seen.push([...userTexts(messages)]);
          return { text: 'Done.' };
        },
      ],
      worker: [{ text: 'The report.' }],
    });
    const { troupe } = await createTroupe(script, { agents: AGENTS });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(seen).toEqual([['Go.']]);
  });
});

function systemOf({ body }: FakeRequest): string {
  return JSON.stringify(body['system']);
}

function textsOf({ body: { messages } }: FakeRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.flatMap((block) => (block.type === 'text' ? [String(block['text'])] : [])),
  );
}
