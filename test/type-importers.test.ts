import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Counted = { readonly id: string; readonly importers: number };

const root = fileURLToPath(new URL('..', import.meta.url));
const { VOCABULARY } = (await import(join(root, 'layers.config.mjs'))) as {
  readonly VOCABULARY: Readonly<Record<string, string>>;
};
const { MAX_TYPE_IMPORTERS, readSource, typeImporters } = (await import(
  join(root, 'scripts/type-importers.mjs')
)) as {
  readonly MAX_TYPE_IMPORTERS: number;
  readSource(src: string): unknown;
  typeImporters(files: unknown): readonly Counted[];
};

describe('the types outside of core/', () => {
  const ofMany = typeImporters(readSource(join(root, 'src')))
    .filter(({ id, importers }) => importers > MAX_TYPE_IMPORTERS && !id.startsWith('core/'))
    .map(({ id }) => id);

  it('have at most 15 importers, except the vocabulary: a function takes what it uses', () => {
    expect(ofMany.filter((id) => !(id in VOCABULARY))).toEqual([]);
  });

  it('are in the vocabulary only if more than 15 files import them', () => {
    expect(Object.keys(VOCABULARY).filter((id) => !ofMany.includes(id))).toEqual([]);
  });
});
