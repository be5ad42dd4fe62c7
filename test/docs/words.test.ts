import { describe, expect, it } from 'vitest';
import { findingsIn, findingsOf, plainTests, textFiles, unitOf } from './words.js';

/**
 * Pages, and folders of the source, that are not in plain words yet. The list only shrinks: nothing is added to it.
 */
const NOT_YET: readonly string[] = [];

const findings = textFiles().flatMap(findingsIn);

describe('the words of pages, messages and comments', () => {
  it('are plain: "if" is not written as "where", and no phrase of the old dialect is used', () => {
    const shown = findings
      .filter(({ path }) => !NOT_YET.includes(unitOf(path)))
      .map(({ path, line, found, write }) => `${path}:${line}: "${found}": write ${write}`);
    expect(shown).toEqual([]);
  });

  it('are plain in the titles and comments of tests', () => {
    const shown = plainTests()
      .flatMap(findingsIn)
      .map(({ path, line, found, write }) => `${path}:${line}: "${found}": write ${write}`);
    expect(shown).toEqual([]);
  });

  it('are plain in everything that is not on the list of those not yet done', () => {
    const undone = new Set(findings.map(({ path }) => unitOf(path)));
    expect(NOT_YET.filter((unit) => !undone.has(unit))).toEqual([]);
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
