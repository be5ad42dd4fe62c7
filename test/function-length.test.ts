import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const RULE = 'max-lines-per-function';

type Configuration = {
  readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[];
};

it('every function of src may have at most 80 lines, without an exception', async () => {
  const text = await readFile(new URL('../.oxlintrc.json', import.meta.url), 'utf8');
  const { overrides } = JSON.parse(text) as Configuration; // our own
  expect(overrides.filter(({ rules }) => RULE in rules)).toEqual([
    {
      files: ['src/**'],
      rules: { [RULE]: ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
    },
  ]);
});
