import { describe, expect, it } from 'vitest';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { agentCall, bashCall } from '../../support/scripts.js';
import { createTroupeOverHttp } from '../../support/troupe.js';

/** Which conversation a request belongs to: its first words. */
function conversationOf({ body }: FakeRequest): string {
  const [first] = body.messages;
  const content = first?.content;
  return typeof content === 'string' ? content : String(content?.[0]?.['text']);
}

function answer(request: FakeRequest, at: (name: string) => string): FakeReply {
  const who = conversationOf(request);
  const { messages } = request.body;
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  if (who === 'Go.') {
    const worker = (name: string) =>
      agentCall('worker', { name, prompt: `Part ${name}`, background: true });
    if (turn === 0) return { text: 'Splitting.', tools: ['a', 'b', 'c'].map(worker) };
    const ends = JSON.stringify(messages).split('<task-notification>').length - 1;
    return { text: ends === 3 ? 'All done.' : `Waiting for ${3 - ends}.` };
  }
  const file = at(`${who.at(-1)}.txt`);
  const steps: readonly FakeReply[] = [
    { thinking: 'First I look.', tools: [{ name: 'Read', input: { file_path: file } }] },
    {
      tools: [
        { name: 'Edit', input: { file_path: file, old_string: 'old', new_string: 'new' } },
        { name: 'Grep', input: { pattern: 'new', path: at('.') } },
        bashCall(`cat ${file}`),
      ],
    },
    { text: `Report of ${who}.` },
  ];
  return steps[turn] ?? { status: 400 };
}

describe('the requests of a coordinator and its three workers', () => {
  it('each begin with the one before it, in the same conversation', async () => {
    const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.txt`, 'old text\n']));
    let place: (name: string) => string = (name) => name;
    const { troupe, api, at, text } = await createTroupeOverHttp(
      { handler: (request) => answer(request, place) },
      { files },
    );
    place = at;
    const session = troupe.session({ prompt: 'Go.', agent: 'coordinator' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'All done.' });
    expect(api.problems).toEqual([]);
    expect(await text('b.txt')).toBe('new text\n');

    const conversations = groupRequests(api.requests);
    const breaks = [...conversations].map(([who, requests]) => ({
      who,
      isLong: requests.length > 1,
      broken: comparePrefix(requests.map(({ body }) => body)),
    }));
    expect(breaks.toSorted((a, b) => (a.who < b.who ? -1 : 1))).toEqual(
      ['Go.', 'Part a', 'Part b', 'Part c'].map((who) => ({
        who,
        isLong: true,
        broken: undefined,
      })),
    );
    for (const { body } of api.requests) {
      const marks = JSON.stringify(body).split('"cache_control"').length - 1;
      expect(marks).toBe(3); // last tool, system prompt, last message
      expect(JSON.stringify(body.messages.at(-1))).toContain('"cache_control"');
    }
    const prompts = new Set(
      api.requests
        .filter((request) => conversationOf(request) !== 'Go.')
        .map(({ body }) => JSON.stringify([body['system'], body['tools']])),
    );
    expect(prompts.size).toBe(1); // workers of a kind share their prefix
  });
});

function groupRequests(requests: readonly FakeRequest[]): Map<string, FakeRequest[]> {
  const groups = new Map<string, FakeRequest[]>();
  for (const request of requests) {
    const who = conversationOf(request);
    groups.set(who, [...(groups.get(who) ?? []), request]);
  }
  return groups;
}
