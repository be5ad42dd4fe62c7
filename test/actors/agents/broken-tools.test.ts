import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { ToolDef } from '../../../src/tools/complete-tool.js';
import type { Tool } from '../../../src/tools/tool.js';
import { ALLOW_ALL, createTroupeOverHttp } from '../../support/troupe.js';

/** A tool as a JavaScript program may write it. */
function toolOf(members: object): Tool {
  const call = () => Promise.resolve({ data: 1 });
  return buildTool({ name: 'Own', inputSchema: z.object({}), call, ...members } as ToolDef);
}

const run = (members: object) =>
  createTroupeOverHttp(
    { replies: [{ tools: [{ name: 'Own', input: {} }] }, { text: 'Done.' }] },
    {
      tools: [toolOf(members)],
      permissions: ALLOW_ALL,
    },
  );

const boom = () => {
  throw new Error('boom');
};
const AT_ONCE = 'It must not be async: await what it needs before buildTool.';

describe('a session with a broken tool', () => {
  it.each<[string, object, string]>([
    [
      'an async prompt',
      { prompt: async () => 'Adds numbers.' },
      `prompt returned a promise instead of a text. ${AT_ONCE}`,
    ],
    [
      'a description that returns a promise, in place of a prompt',
      { description: () => Promise.resolve('Adds numbers.') },
      `description returned a promise instead of a text. ${AT_ONCE}`,
    ],
    [
      'a prompt that is no text',
      { prompt: () => 5 },
      `prompt returned the number 5 instead of a text. ${AT_ONCE}`,
    ],
    ['a prompt that throws', { prompt: boom }, 'prompt threw: boom'],
    [
      'an async isEnabled',
      { isEnabled: async () => false },
      `isEnabled returned a promise instead of true or false. ${AT_ONCE}`,
    ],
    ['an isEnabled that throws', { isEnabled: boom }, 'isEnabled threw: boom'],
  ])('does not begin: %s', async (_, members, why) => {
    const { troupe } = await run(members);
    expect(() => troupe.session({ prompt: 'Go.' })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `The tool Own is broken: its ${why}`,
      }),
    );
  });

  it('tells the model that a result is no block', async () => {
    const { api, troupe } = await run({
      mapToolResultToToolResultBlockParam: async () => ({ type: 'tool_result', content: 'hi' }),
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(api.requests[1]?.body.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        expect.objectContaining({
          type: 'tool_result',
          content: 'Own ran, but its result cannot be used: it is not a tool_result block.',
          is_error: true,
        }),
      ],
    });
  });
});

describe('the description of a tool for the model', () => {
  const sent = async (members: object) => {
    const { api, troupe } = await run(members);
    await troupe.session({ prompt: 'Go.' }).outcome;
    const tools = api.requests[0]?.body.tools as { name: string; description: string }[];
    return tools.find(({ name }) => name === 'Own')?.description;
  };

  it('is its prompt, or else a description that needs no input, or else its name', async () => {
    const description = () => 'Adds numbers.';
    expect(await sent({ prompt: () => 'Adds two numbers.', description })).toBe(
      'Adds two numbers.',
    );
    expect(await sent({ description })).toBe('Adds numbers.');
    expect(await sent({ description: ({ a }: { a: number }) => `Adds ${a}.` })).toBe('Own');
    expect(await sent({})).toBe('Own');
  });
});
