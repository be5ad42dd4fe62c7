import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { inputSchemaOf, learnSchemas } from '../../../src/tools/pool/input-schema.js';

const MODULE = '../../../.build/modules/tools/pool/made-schemas.js';

const tool = (name: string) =>
  buildTool({
    name,
    inputSchema: z.object({ text: z.string() }),
    call: () => Promise.resolve({ data: '' }),
  });

describe('the JSON schemas of the build', () => {
  it('are those of all built-in tools', async () => {
    const { MADE_SCHEMAS } = (await import(MODULE)) as { readonly MADE_SCHEMAS: string };
    const converted = getAllBaseTools().map((one) => [one.name, inputSchemaOf(one)]);
    expect(MADE_SCHEMAS).toBe(JSON.stringify(Object.fromEntries(converted)));
  });

  it('are for these tools, and not for others with their names', () => {
    const [known, other] = [tool('a'), tool('a')];
    learnSchemas([known], JSON.stringify({ a: { type: 'object', title: 'made' } }));
    expect(inputSchemaOf(known)).toEqual({ type: 'object', title: 'made' });
    expect(inputSchemaOf(other)).toMatchObject({ properties: { text: { type: 'string' } } });
  });

  it('are missing for a tool that the build does not know, whose schema is converted', () => {
    const unknown = tool('b');
    learnSchemas([unknown], '{}');
    expect(inputSchemaOf(unknown)).toMatchObject({ type: 'object', required: ['text'] });
  });
});
