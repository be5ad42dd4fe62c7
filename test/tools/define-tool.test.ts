import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.js';
import { newestResults, playParts } from '../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../support/troupe.js';

const definition = {
  name: 'Order',
  description: 'Orders an item.',
  input: z.object({ item: z.string(), count: z.int().default(3) }),
};

/** The result that the model gets for a call of the tool. */
async function resultOf(run: (input: { item: string; count: number }) => unknown, readOnly = true) {
  let result: unknown;
  const { troupe } = await createTroupe(
    playParts({
      main: [
        { tools: [{ name: 'Order', input: { item: 'bolts' } }] },
        ({ messages }) => {
          const [{ content, is_error } = {}] = newestResults(messages);
          result = { content, isError: is_error === true };
          return { text: 'Done.' };
        },
      ],
    }),
    { tools: [defineTool({ ...definition, readOnly, run })], permissions: ASK_FIRST },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  return result;
}

describe('a tool made by defineTool', () => {
  it('runs with checked input, and returns a text, data or blocks', async () => {
    const blocks = [{ type: 'text', text: 'ordered' }];
    expect(await resultOf(({ item, count }) => `${count} ${item}`)).toEqual({
      content: '3 bolts',
      isError: false,
    });
    expect(await resultOf(({ count }) => ({ count }))).toMatchObject({
      content: '{\n  "count": 3\n}',
    });
    expect(await resultOf(() => blocks)).toMatchObject({ content: blocks });
  });

  it('fails with the message of what it throws', async () => {
    const broken = () => {
      throw new Error('No bolts are left.');
    };
    expect(await resultOf(broken)).toEqual({ content: 'No bolts are left.', isError: true });
  });

  it('needs permission unless it is read-only', async () => {
    expect(await resultOf(() => 'ordered', false)).toMatchObject({ isError: true });
  });

  it.each([
    [{ readonly: true }, 'defineTool: there is no member "readonly". Did you mean readOnly?'],
    [{ run: 'order' }, 'defineTool: Order: run must be a function.'],
    [{ name: 'a b' }, 'defineTool: "a b" is not a valid name for a tool.'],
    [
      { input: undefined },
      'defineTool: Order: input must be a zod schema of an object, such as z.object({ path: z.string() }), not nothing. A JSON schema goes into buildJsonSchemaTool.',
    ],
    [
      { input: { type: 'object' } },
      'defineTool: Order: input must be a zod schema of an object, such as z.object({ path: z.string() }), not an object.',
    ],
  ])('is refused with %j', (more, message) => {
    const given = { ...definition, run: () => '', ...more } as unknown as Parameters<
      typeof defineTool
    >[0];
    expect(() => defineTool(given)).toThrow(message);
  });
});
