import { describe, expect, it } from 'vitest';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { agentEntries } from '../../support/journals.js';
import { createWaitTool } from '../../support/probe-tools.js';
import {
  agentCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const send = (to: string, message: string) => ({ name: 'SendMessage', input: { to, message } });

describe('a message', () => {
  it.each(['name', 'task id', 'agent id'] as const)(
    'reaches an agent by its %s, at its next tool boundary and with the results',
    async (by) => {
      const busy = createGate();
      const sent = createGate();
      const seen: unknown[] = [];
      const wait = createWaitTool(() => {
        busy.open();
        return sent.opened;
      });
      const script = playParts({
        main: [
          { tools: [agentCall('worker', { name: 'ann', background: true })] },
          async ({ messages }: ModelRequest) => {
            await busy.opened;
            const said = newestResults(messages).map(resultText).join();
            const ids = {
              name: 'ann',
              'task id': /Task: (\S+)/.exec(said)?.[1] ?? '',
              'agent id': /Agent: (\S+)/.exec(said)?.[1] ?? '',
            };
            return { tools: [send(ids[by], 'Use tabs.')] };
          },
          ({ messages }: ModelRequest) => {
            seen.push(newestResults(messages).map(({ is_error }) => is_error ?? false));
            sent.open();
            return { text: 'Waiting.' };
          },
          { text: 'Done.' },
        ],
        worker: [
          { tools: [{ name: 'Wait' }] },
          ({ messages }: ModelRequest) => {
            seen.push(messages.at(-1)?.content.map(({ type }) => type));
            seen.push(newestResults(messages).map(resultText));
            seen.push(userTexts(messages).at(-1));
            return { text: 'Done.' };
          },
        ],
      });
      const { troupe } = await createTroupe(script, {
        agents: [defineAgent('worker')],
        tools: [{ ...wait, interruptBehavior: () => 'cancel' }], // by a prompt: a message cancels nothing
      });
      const session = troupe.session({ prompt: 'Go.' });
      expect((await session.outcome).status).toBe('completed');
      expect(seen).toEqual([
        [false],
        ['tool_result', 'text'],
        ['waited '],
        '<message from="main">\nUse tabs.\n</message>',
      ]);
    },
  );

  it('reaches the parent, which started the sender, and wakes it', async () => {
    const seen: string[] = [];
    const received = createGate();
    const script = playParts({
      main: [
        { tools: [agentCall('worker', { background: true })] },
        { text: 'Waiting.' },
        ({ messages }: ModelRequest) => {
          seen.push(...userTexts(messages).slice(1));
          received.open();
          return { text: 'Answered.' };
        },
        { text: 'Done.' },
      ],
      worker: [
        { tools: [send('parent', 'Which branch?')] },
        async () => {
          await received.opened; // so that it is no notification that woke the parent
          return { text: 'Report.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('worker')] });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(seen).toEqual([expect.stringMatching(/^<message from="aworker-.*">\nWhich branch\?\n/)]);
  });

  it('to nobody or to one that has ended is an error that its sender gets', async () => {
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        { tools: [agentCall('worker', { name: 'ann' })] },
        { tools: ['ann', 'bob', 'b00000000', 'main'].map((to) => send(to, 'Hello?')) },
        ({ messages }: ModelRequest) => {
          results.push(...newestResults(messages));
          return { text: 'Done.' };
        },
      ],
      worker: [{ text: 'Report.' }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('worker')] });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    expect(results.map(resultText)).toEqual([
      'The message was not sent: "ann" has ended (completed). Running: main.',
      'The message was not sent: there is no agent "bob". Running: main.',
      'The message was not sent: there is no agent "b00000000". Running: main.',
      'The message was not sent: "main" is yourself. Running: main.',
    ]);
  });

  it.each([
    ['content: the text is blank.', ''],
    ['content: the text is blank.', ' \n'],
    ['content[0].text: the text is blank.', [{ type: 'text', text: ' ' }]],
    ['content: the list of blocks is empty.', []],
    ['content must be a text, or a list of text and image blocks, not the number 3.', 3],
    ['content must be a text, or a list of text and image blocks, not null.', null],
    ['content[0] must be an object, not null.', [null]],
    ['content[0].text must be a string, not the number 3.', [{ type: 'text', text: 3 }]],
    [
      'content[0].type must be one of "text", "image", not the string "tool_result".',
      [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done.' }],
    ],
  ])('that is blank or none is refused before anybody has it: %s: %j', async (why, given) => {
    const content = given as string;
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), {
      agents: [defineAgent('worker')],
    });
    const usage = {
      code: 'USAGE',
      message: expect.stringContaining(`The message cannot be used: ${why}`),
    };
    expect(() => troupe.session({ prompt: content })).toThrow(why);
    const session = troupe.session({ staysOpen: true });
    const ann = await session.spawn({ agent: 'worker', team: 'crew', name: 'ann', prompt: '' });
    await expect(session.prompt(content)).rejects.toMatchObject(usage);
    await expect(ann.send(content)).rejects.toMatchObject(usage);
    expect(session.mail()).toEqual([]);
  });

  it('is on disk before its sender gets the result, in the order of sending, numbered per sender', async () => {
    const finish = createGate();
    const script = playParts({
      main: [{ tools: [{ name: 'Wait' }] }, { text: 'Done.' }],
    });
    const { troupe } = await createTroupe(script, { tools: [createWaitTool(() => finish.opened)] });
    const session = troupe.session({ prompt: 'Go.' });
    const agentId = session.agentId ?? '';
    for (const text of ['one', 'two', 'three']) {
      await session.send(text);
      const accepted = await acceptedOf(session, agentId);
      expect(accepted.at(-1)?.text).toBe(text);
    }
    finish.open();
    await session.outcome;
    const accepted = await acceptedOf(session, agentId);
    expect(accepted.map(({ text }) => text)).toEqual(['Go.', 'one', 'two', 'three']);
    expect(accepted.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    await expect(session.send('late')).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
    await expect(session.prompt('late')).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
  });

  it('of many senders at once is neither lost nor doubled', async () => {
    const all = createGate();
    const seen: string[] = [];
    let arrived = 0;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const script = playParts({
      main: [
        {
          tools: [
            ...names.map((name) => agentCall('worker', { name, background: true })),
            { name: 'Wait' },
          ],
        },
        ({ messages }: ModelRequest) => {
          seen.push(...userTexts(messages));
          return { text: 'Waiting.' };
        },
        { text: 'Done.' },
      ],
      worker: [
        ({ origin: { name } }: ModelRequest) => ({
          tools: [1, 2, 3].map((count) => send('main', `${name}${count}`)),
        }),
        () => {
          arrived += 1;
          if (arrived === names.length) all.open();
          return { text: 'Report.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('worker')],
      tools: [createWaitTool(() => all.opened)],
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    const got = seen.flatMap((text) => /^<message from="(.)">\n(.+)\n/.exec(text)?.[2] ?? []);
    expect(got.toSorted()).toEqual(names.flatMap((name) => [1, 2, 3].map((n) => `${name}${n}`)));
    for (const name of names)
      expect(got.filter((text) => text.startsWith(name))).toEqual([1, 2, 3].map((n) => name + n));
  });
});

async function acceptedOf(session: { readonly directory: string }, agentId: string) {
  const entries = await agentEntries(session, agentId);
  return entries.flatMap((entry) =>
    entry.type === 'mail.accepted'
      ? [{ seq: entry.envelope.seq, text: String(entry.envelope.content[0]?.['text']) }]
      : [],
  );
}
