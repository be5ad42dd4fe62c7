import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './support/troupe-process.js';

const CHUNKS = join(dirname(COMMAND), 'chunks');
const LIBRARY = join(dirname(COMMAND), '../static.js');
const IMPORTED = /(?:\bfrom|\bimport) ?"(\.\.?\/[^"]+)"/g;
const HASH = /-[\w-]{8}\.js$/;

/** The files that Node reads for one, itself included, before anything in it runs; without their hashes. */
function filesOf(file: string): readonly string[] {
  const files = new Set([file]);
  for (const one of files)
    for (const [, imported = ''] of readFileSync(one, 'utf8').matchAll(IMPORTED))
      files.add(join(dirname(one), imported));
  return [...files].map((one) => basename(one).replace(HASH, '')).toSorted();
}

/** The chunk of a module that is loaded late. */
function chunkOf(module: string): string {
  const chunk = readdirSync(CHUNKS).find((name) => name.replace(HASH, '') === module);
  return join(CHUNKS, chunk ?? `${module} is not loaded late`);
}

/** The files of the build; scripts/build.mjs says which modules each has. */
it('the entry of the library loads nothing before Node keeps its compiled code', () => {
  const entry = join(dirname(LIBRARY), 'index.js');
  expect(filesOf(entry)).toEqual(['compiled-code.js', 'index.js']);
});

it('the library has few files beside its entry, and shares one with the programs that test', () => {
  const testing = join(dirname(LIBRARY), 'testing/index.js');
  const beside = ['compiled-code.js', 'library', 'rolldown-runtime', 'shared', 'static.js'];
  expect(filesOf(LIBRARY)).toEqual(beside);
  expect(filesOf(testing)).toEqual(['index.js', 'shared']);
});

describe('the files of the command', () => {
  it('begins with an entry that loads nothing before it has looked at the version of Node', () => {
    expect(filesOf(COMMAND)).toEqual(['main.js']);
    expect(filesOf(chunkOf('compiled-code'))).toEqual(['compiled-code', 'first']);
    expect(filesOf(chunkOf('dispatch'))).toEqual(['dispatch', 'every']);
  });

  it('has three more for a run, one of them of the bundler', () => {
    const files = ['every', 'first', 'rolldown-runtime', 'run', 'runtime', 'shared'];
    expect(filesOf(chunkOf('run'))).toEqual(files);
  });

  it('reads what a command line does with the first one', () => {
    expect(filesOf(chunkOf('analyse'))).toContain('runtime');
  });

  it.each([
    'agents',
    'completion',
    'config',
    'kill',
    'log',
    'logs',
    'ps',
    'send',
    'sessions',
    'trust',
  ])('loads nothing for "%s" that only a run needs', (command) => {
    expect(filesOf(chunkOf(command))).toContain(command);
    expect(filesOf(chunkOf(command))).not.toContain('runtime');
  });
});
