import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './support/troupe-process.js';

const CHUNKS = join(dirname(COMMAND), 'chunks');
const IMPORTED = /(?:\bfrom|\bimport)"\.\/(?:chunks\/)?([^"]+)"/g;
const HASH = /-[\w-]{8}\.js$/;

/** The files that Node reads for one, itself included, before anything in it runs; without their hashes. */
function filesOf(file: string): readonly string[] {
  const files = new Set([file]);
  for (const one of files)
    for (const [, imported = ''] of readFileSync(one, 'utf8').matchAll(IMPORTED))
      files.add(join(CHUNKS, imported));
  return [...files].map((one) => basename(one).replace(HASH, '')).toSorted();
}

/** The file that the entry loads late for a module. */
function chunkOf(module: string): string {
  const name = readFileSync(COMMAND, 'utf8').match(`/chunks/(${module}-[\\w-]{8}\\.js)`)?.[1];
  return join(CHUNKS, name ?? `${module} is not loaded late`);
}

/** What stands in which file is said in scripts/build.mjs. */
describe('the files of the command', () => {
  it('begins with one beside the entry', () => {
    expect(filesOf(COMMAND)).toEqual(['every', 'main.js']);
  });

  it('has two more for a run', () => {
    expect(filesOf(chunkOf('run-headless'))).toEqual(['every', 'run', 'run-headless', 'shared']);
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
    expect(filesOf(chunkOf(command))).not.toContain('run');
  });
});
