import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createFolder } from './support/troupe.js';

const RULE = 'max-lines-per-function';
const root = fileURLToPath(new URL('..', import.meta.url));

type Configuration = {
  readonly overrides: readonly {
    readonly excludeFiles?: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }[];
};

/** The files of `src/` with a function that is too long, whatever the configuration excepts. */
async function tooLong(rule: unknown): Promise<readonly string[]> {
  const config = join(await createFolder(), 'oxlintrc.json');
  await writeFile(
    config,
    JSON.stringify({ categories: { correctness: 'off' }, rules: { [RULE]: rule } }),
  );
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', config, '-f', 'json', 'src'],
    { cwd: root, encoding: 'utf8' },
  );
  // oxlint's own report, read as this version writes it
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { readonly filename: string }[];
  };
  return [...new Set(diagnostics.map(({ filename }) => filename))].toSorted();
}

it('only files with a function that is too long are excepted from the limit of 80 lines', async () => {
  const text = await readFile(join(root, '.oxlintrc.json'), 'utf8');
  const { overrides } = JSON.parse(text) as Configuration; // our own
  const limit = overrides.find(({ rules }) => RULE in rules);
  expect(limit?.excludeFiles).toEqual(await tooLong(limit?.rules[RULE]));
});
