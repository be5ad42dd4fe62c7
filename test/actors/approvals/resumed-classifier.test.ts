import { expect, it } from 'vitest';
import { createChangeTool } from '../../support/probe-tools.js';
import { playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const AUTO = { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true } as const;

const change = { tools: [{ name: 'Change', input: { what: 'it' } }] };

it('resumes a session whose tool calls a classifier has allowed', async () => {
  const { tool, ran } = createChangeTool();
  const { troupe } = await createTroupe(
    playParts({ main: [change, { text: 'Done.' }, { text: 'Again.' }] }),
    {
      tools: [tool],
      permissions: AUTO,
      classifier: {
        classify: () => Promise.resolve({ behavior: 'allow', reason: 'it is asked for' }),
      },
    },
  );
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  const resumed = troupe.session({ resume: session.sessionId, prompt: 'Go on.' });
  expect(await resumed.outcome).toEqual({ status: 'completed', result: 'Again.' });
  expect(ran).toEqual(['it']);
});
