import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AssistantMessage } from '../../../src/core/messages.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createTroupeOverHttp } from '../../support/troupe.js';

const parents: (AssistantMessage | undefined)[] = [];

/** Answers, and adds a message. */
const Briefing = buildTool({
  name: 'Briefing',
  inputSchema: z.object({ about: z.string() }),
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  call: async ({ about }: { about: string }, _context, _canUseTool, parentMessage) => {
    parents.push(parentMessage);
    const content = about === 'nothing' ? ' ' : `Read this about ${about}.`;
    return { data: `Brought ${about}.`, newMessages: [{ role: 'user', content }] };
  },
});

async function run(replies: readonly FakeReply[]) {
  const world = await createTroupeOverHttp(
    {
      handler: ({ body }) =>
        replies[body.messages.filter(({ role }) => role === 'assistant').length] ?? { status: 400 },
    },
    { tools: [Briefing as never] },
  );
  const session = world.troupe.session({ prompt: 'Go.' });
  return { ...world, session, outcome: await session.outcome };
}

const brief = (about: string) => ({ name: 'Briefing', input: { about } });
const contentOf = (message: unknown) =>
  (message as { content: { type: string; text?: string; content?: string }[] }).content.map(
    ({ type, text, content }) => [type, text ?? content],
  );

describe('messages that a tool adds to the conversation', () => {
  it('follow the results of all calls of the reply, and stay after a resume', async () => {
    const { api, troupe, session } = await run([
      { tools: [brief('cats'), brief('dogs')] },
      { text: 'Done.' },
      { text: 'Again.' },
    ]);
    const added = [
      ['tool_result', 'Brought cats.'],
      ['tool_result', 'Brought dogs.'],
      ['text', 'Read this about cats.'],
      ['text', 'Read this about dogs.'],
    ];
    expect(contentOf(api.requests[1]?.body.messages[2])).toEqual(added);
    await troupe.session({ resume: session.sessionId, prompt: 'And?' }).outcome;
    expect(contentOf(api.requests[2]?.body.messages[2])).toEqual(added);
    expect(api.problems).toEqual([]);
  });

  it('are an error of the call if they cannot be used', async () => {
    const { api } = await run([{ tools: [brief('nothing')] }, { text: 'Done.' }]);
    expect(contentOf(api.requests[1]?.body.messages[2])).toEqual([
      [
        'tool_result',
        "Briefing ran, but its newMessages cannot be used: return a list of { role: 'user', content } with text or blocks of text and images.",
      ],
    ]);
  });

  it('are of a tool that gets the part of the reply that called it', async () => {
    parents.length = 0;
    await run([{ text: 'First.', tools: [brief('cats')] }, { text: 'Done.' }]);
    expect(parents).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: expect.any(String), name: 'Briefing', input: { about: 'cats' } },
        ],
      },
    ]);
  });
});
