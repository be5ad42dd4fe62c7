import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../src/tools/build-tool.js';
import { createTroupe } from '../support/troupe.js';

/** A test that waits for ever shows nothing: after so many the model gives up. */
const MOST_TURNS = 3_000;

describe('a model that never waits and asks for tools for ever', () => {
  it('is ended as soon as the process is told to', async () => {
    let turns = 0;
    const nothing = buildTool({
      name: 'Nothing',
      inputSchema: z.object({}),
      isReadOnly: () => true,
      call: () => Promise.resolve({ data: 'nothing' }),
    });
    const { troupe } = await createTroupe(
      () =>
        (turns += 1) < MOST_TURNS
          ? { tools: [{ name: 'Nothing', input: {} }] }
          : { text: 'Enough.' },
      { tools: [nothing] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    setTimeout(() => void troupe.close('told to'), 0); // as a signal, it comes from the event loop
    expect(await session.outcome).toEqual({ status: 'killed', reason: 'told to' });
    expect(turns).toBeLessThan(MOST_TURNS);
  }, 60_000);
});
