import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { NO_USAGE } from '../../../src/core/tasks/usage.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createFolder, createTroupe } from '../../support/troupe.js';

/** A test that waits for ever shows nothing: after so many the model gives up. */
const MOST_TURNS = 3_000;

describe('a reply that never waits', () => {
  it('ends as soon as the process stops it', async () => {
    const MOST_EVENTS = 200_000;
    let events = 0;
    async function* reply() {
      yield { type: 'message_start', message: { id: 'm', model: 'm', usage: NO_USAGE } };
      yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
      const delta = { type: 'text_delta', text: '.' };
      while ((events += 1) < MOST_EVENTS) yield { type: 'content_block_delta', index: 0, delta };
    }
    const folder = await createFolder();
    const model = { stream: () => Promise.resolve(reply()) };
    const troupe = createOrchestrator({ cwd: folder, home: folder, model });
    const session = troupe.session({ prompt: 'Go.' });
    setTimeout(() => void troupe.close('told to'), 0);
    expect(await session.outcome).toEqual({ status: 'killed', reason: 'told to' });
    expect(events).toBeLessThan(MOST_EVENTS);
  });
});

describe('a model that never waits and asks for tools for ever', () => {
  it('ends as soon as the process stops it', async () => {
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
