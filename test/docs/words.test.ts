import { describe, expect, it } from 'vitest';
import { findingsIn, findingsOf, testFiles, textFiles } from './words.js';

const shownIn = (paths: readonly string[]): readonly string[] =>
  paths
    .flatMap(findingsIn)
    .map(({ path, line, found, write }) => `${path}:${line}: "${found}": write ${write}`);

describe('the words', () => {
  it('of pages, messages and comments are plain', () => {
    expect(shownIn(textFiles())).toEqual([]);
  });

  it('of titles and comments of tests are plain', () => {
    expect(shownIn(testFiles())).toEqual([]);
  });
});

describe('the search for banned phrases', () => {
  const foundIn = (path: string, text: string): readonly string[] =>
    findingsOf(path, text).map(({ line, found }) => `${line}: ${found}`);

  it('reads all of a page', () => {
    expect(foundIn('a.md', 'A session\nis gone\non with, where it can.\n')).toEqual([
      '2: gone on',
      '3: where',
    ]);
  });

  it('reads comments and strings of code, and neither its names nor the rest', () => {
    const code = [
      'const goes = { on: 1 }; // whoever',
      "type('where it is', `goes ${'on'}`, 'she is ' + 'told to go.on', 'goes.on');",
      'wherever.whoever(goes.on);',
    ];
    expect(foundIn('a.ts', code.join('\n'))).toEqual(['1: whoever', '2: where', '2: is told']);
  });

  it('finds a phrase that is broken between lines of a comment or parts of a string', () => {
    const code = [
      '/**\n * Before it rests it is\n * looked at.\n */',
      "call('to be gone ' +\n  'on with');",
      '// what is\n// none',
    ];
    expect(foundIn('a.ts', code.join('\n'))).toEqual([
      '2: rests',
      '2: is looked at',
      '5: gone on',
      '7: is none',
    ]);
  });

  it('lets "where" be said of places', () => {
    const page = '# Where things live\n\nThe folder where it runs; it says where. | where |\n';
    expect(foundIn('a.md', page)).toEqual([]);
  });

  it('wants a subject at the beginning of a comment', () => {
    const code = ['/** It is closed. */', '// Of them, some', '/** The name of it. */'];
    expect(foundIn('a.ts', code.join('\n'))).toEqual(['1: It', '2: Of']);
  });
});
