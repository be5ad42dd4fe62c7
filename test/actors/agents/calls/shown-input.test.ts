import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shownInput } from '../../../../src/actors/agents/calls/shown-input.js';
import { buildTool } from '../../../../src/tools/build-tool.js';
import { parseInput } from '../../../../src/tools/calls/parse-input.js';

async function shownOf(inputSchema: z.ZodObject, sent: Readonly<Record<string, unknown>>) {
  const tool = buildTool({
    name: 'Probe',
    inputSchema,
    prompt: () => 'Probes.',
    description: () => 'probe',
    call: () => Promise.resolve({ data: '' }),
  });
  const parsed = await parseInput(tool, sent);
  if (!parsed.ok) throw new Error(parsed.message);
  return shownInput(tool, parsed.input, sent);
}

describe('the input that is shown', () => {
  it('has no defaults, at no depth', async () => {
    const schema = z.object({
      command: z.string(),
      timeout: z.number().default(120_000),
      parts: z.array(z.object({ name: z.string(), isOpen: z.boolean().default(false) })),
    });
    const sent = { command: 'ls', parts: [{ name: 'a' }, { name: 'b', isOpen: true }] };
    expect(await shownOf(schema, sent)).toEqual(sent);
  });

  it('has no keys that the tool does not know', async () => {
    const schema = z.object({ command: z.string(), timeout: z.number().default(1) });
    expect(await shownOf(schema, { command: 'ls', danger: 'none' })).toEqual({ command: 'ls' });
  });

  it('is what runs if the schema makes something else of it', async () => {
    const renamed = z
      .looseObject({ old: z.string().optional() })
      .transform(({ old, ...rest }) => (old === undefined ? rest : { name: old, ...rest }));
    const schema = z.object({ file: renamed }) as z.ZodObject;
    expect(await shownOf(schema, { file: { old: 'a.txt' } })).toEqual({ file: { name: 'a.txt' } });
  });
});
