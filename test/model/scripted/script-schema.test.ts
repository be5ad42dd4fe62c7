import { format } from 'prettier';
import { expect, it } from 'vitest';
import { scriptJsonSchema } from '../../../src/model/scripted/script.js';

/** `npx vitest run test/model/scripted/script-schema.test.ts -u` writes it anew. */
it('is published as it is used', async () => {
  const text = await format(JSON.stringify(scriptJsonSchema()), {
    parser: 'json',
    printWidth: 100,
  });
  await expect(text).toMatchFileSnapshot('../../../schemas/scripted-model.schema.json');
});
