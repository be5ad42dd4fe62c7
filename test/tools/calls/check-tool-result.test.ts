import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { ToolResult } from '../../../src/tools/tool.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

/** The result that the model gets if a call resolves with this. */
async function resultOf(returned: unknown): Promise<string> {
  const tool = buildTool({
    name: 'Order',
    inputSchema: z.object({}),
    call: () => Promise.resolve(returned as ToolResult<string>),
  });
  let result = '';
  const { troupe } = await createTroupe(
    playParts({
      main: [
        { tools: [{ name: 'Order' }] },
        ({ messages }) => {
          result = newestResults(messages).map(resultText).join();
          return { text: 'Done.' };
        },
      ],
    }),
    { tools: [tool] },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  return result;
}

describe('a tool whose call returns', () => {
  it.each([
    ['bare', 'the string "bare"'],
    [undefined, 'nothing'],
    [{ text: 'x' }, 'an object'],
  ])('%j gets an error that { data } is needed', async (returned, what) => {
    expect(await resultOf(returned)).toBe(
      `The tool Order is broken: its call returned ${what} instead of { data }. Write: return { data: … }.`,
    );
  });

  it('{ data } has that as its result', async () => {
    expect(await resultOf({ data: 'ordered' })).toBe('ordered');
  });
});
