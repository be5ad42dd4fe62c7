import { expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import { playParts } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

it('has in the app state the model that the session uses now', async () => {
  const seen: string[] = [];
  const Look = buildTool({
    name: 'Look',
    inputSchema: z.object({}),
    isReadOnly: () => true,
    call(_, { session }) {
      seen.push(session.getAppState?.().mainLoopModel ?? '');
      return Promise.resolve({ data: 'seen' });
    },
  });
  const look = { tools: [{ name: 'Look', input: {} }] };
  const script = playParts({ main: [look, { text: 'One.' }, look, { text: 'Two.' }] });
  const { troupe } = await createTroupe(script, { tools: [Look], modelName: 'first-model' });
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  for await (const message of session) {
    if (message.type !== 'result') continue;
    if (seen.length > 1) break;
    await session.setModel('second-model');
    await session.prompt('Again.');
  }
  await session.end();
  expect(seen).toEqual(['first-model', 'second-model']);
});
