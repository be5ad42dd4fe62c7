import { createHook } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../../src/tools/build-tool.js';
import { createTroupe, defineAgent } from '../../../support/troupe.js';

const Echo = buildTool({
  name: 'Echo',
  inputSchema: z.object({ text: z.string() }),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  call: ({ text }) => Promise.resolve({ data: text }),
});

async function promisesOf(uses: number): Promise<number> {
  const tools = Array.from({ length: uses }, (_, use) => ({
    name: 'Echo',
    input: { text: `use ${use}` },
  }));
  const { troupe } = await createTroupe(
    ({ messages }) => (messages.length === 1 ? { tools } : { text: 'Done.' }),
    { tools: [Echo], agents: [defineAgent('main', { tools: ['Echo'] })] },
  );
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises += 1;
    },
  });
  hook.enable();
  const result = await troupe.session({ prompt: 'Go.', agent: 'main' }).result;
  hook.disable();
  expect(result).toBe('Done.');
  return promises;
}

it('makes at most 25 promises for a tool call that the rules allow, with those of the scripted model', async () => {
  await promisesOf(1);
  const [few, many] = [await promisesOf(1), await promisesOf(41)];
  expect((many - few) / 40).toBeLessThanOrEqual(25);
});
