import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readChange } from '../../../src/cli/approval/read-change.js';
import { createFolder } from '../../support/troupe.js';
import { requestFor } from '../../support/requests.js';

const { signal } = new AbortController();

/** The change that a call on one file would make. */
async function change(
  tool: 'Edit' | 'NotebookEdit' | 'Write',
  fields: Readonly<Record<string, unknown>>,
  before?: string | Buffer,
) {
  const path = join(await createFolder(), 'a.txt');
  if (before !== undefined) await writeFile(path, before);
  const target = {
    kind: 'paths',
    paths: [{ given: path, lexical: path, resolved: path, access: 'write' }],
  };
  const request = requestFor(
    tool,
    { file_path: path, notebook_path: path, ...fields },
    { facts: { target } },
  );
  const found = await readChange(request, signal);
  return found && { ...found, diff: found.diff.map(({ prefix, text }) => prefix + text) };
}

describe('what an Edit or a Write would change', () => {
  it('is the difference to what is on disk', async () => {
    const fields = { old_string: 'two', new_string: 'zwei' };
    expect(await change('Edit', fields, 'one\ntwo\nthree\n')).toEqual({
      what: 'Changes this file:',
      diff: ['    @@ -1,3 +1,3 @@', '      one', '    - two', '    + zwei', '      three'],
      fields: ['old_string', 'new_string'],
    });
  });

  it('names every place of replace_all', async () => {
    const fields = { old_string: 'x', new_string: 'y', replace_all: true };
    const found = await change('Edit', fields, 'x\nx\n');
    expect(found?.what).toBe('Changes this file in 2 places:');
    expect(found?.diff.slice(1)).toEqual(['    - x', '    - x', '    + y', '    + y']);
  });

  it('says whether a file is created or replaced', async () => {
    expect(await change('Write', { content: 'new\n' })).toEqual({
      what: 'Creates this file:',
      diff: [expect.stringMatching(/^ {4}@@ /), '    + new'],
      fields: ['content'],
    });
    expect(await change('Write', { content: 'new\n' }, 'old\n')).toEqual({
      what: 'Replaces this file, which exists:',
      diff: ['    @@ -1,1 +1,1 @@', '    - old', '    + new'],
      fields: ['content'],
    });
  });

  it('is the difference of each file of a MultiEdit, as the input names it, after all edits', async () => {
    const folder = await createFolder();
    const paths = ['a.txt', 'b.txt'].map((name) => join(folder, name));
    const [old = '', fresh = ''] = paths;
    await writeFile(old, 'one\ntwo\n');
    const request = (edits: readonly object[]) =>
      requestFor(
        'MultiEdit',
        { file_path: 'a.txt', edits },
        {
          facts: {
            target: {
              kind: 'paths',
              paths: [
                { given: old, lexical: old, resolved: old, access: 'write' },
                { given: '/link', lexical: '/link', resolved: fresh, access: 'write' },
              ],
            },
          },
        },
      );
    const first = { old_string: 'two', new_string: 'zwei' };
    const found = await readChange(
      request([
        first,
        { file_path: '../link', old_string: '', new_string: 'new\n' },
        { old_string: 'zwei', new_string: 'deux' },
      ]),
      signal,
    );
    expect(
      found && { ...found, diff: found.diff.map(({ prefix, text }) => prefix + text) },
    ).toEqual({
      what: 'Changes 2 files:',
      diff: [
        '    a.txt',
        '    @@ -1,2 +1,2 @@',
        '      one',
        '    - two',
        '    + deux',
        `    ../link (it leads to ${fresh}) (new)`,
        expect.stringMatching(/^ {4}@@ /),
        '    + new',
      ],
      fields: ['edits'],
    });
    const wrong = { file_path: '../link', old_string: 'x', new_string: 'y' };
    expect(await readChange(request([first, wrong]), signal)).toEqual({
      what: expect.stringContaining('the call will fail: edits[1]: old_string is not in') as string,
      diff: [],
      fields: [],
    });
  });

  it.each([
    ['replace', { cell_id: 'a' }, 'Changes this cell:', ['    - one', '      two', '    + three']],
    ['insert', { cell_type: 'code' }, 'Inserts this cell:', ['    + two', '    + three']],
    ['delete', { cell_id: 'a' }, 'Deletes this cell:', ['    - one', '    - two']],
  ])('is the difference of one cell of a notebook: %s', async (edit_mode, fields, what, diff) => {
    const cell = { cell_type: 'code', id: 'a', metadata: {}, source: ['one\n', 'two\n'] };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    const input = { ...fields, edit_mode, new_source: 'two\nthree\n' };
    const found = await change('NotebookEdit', input, JSON.stringify(notebook));
    expect(found && { ...found, diff: found.diff.slice(1) }).toEqual({
      what,
      diff,
      fields: ['new_source'],
    });
  });

  it('says that the cell of a NotebookEdit cannot be found', async () => {
    const notebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    const input = { cell_id: 'a', new_source: '' };
    const found = await change('NotebookEdit', input, JSON.stringify(notebook));
    expect(found?.what).toContain('the call will fail: there is no cell "a"');
  });

  it('does not call line endings a change, which the tools keep', async () => {
    const found = await change('Write', { content: 'a\nc\n' }, 'a\r\nb\r\n');
    expect(found?.diff.slice(1)).toEqual(['      a', '    - b', '    + c']);
  });

  it.each([
    ['the passage is missing', 'abc', 'it is not there', 'old_string is not in the file'],
    ['the passage is not unique', 'x x', 'x', 'more than once'],
    ['the file is not text', Buffer.from([0, 1, 2]), 'x', 'the file is not text'],
  ])('leaves all fields to be shown if %s', async (_, before, find, why) => {
    const found = await change('Edit', { old_string: find, new_string: 'y' }, before);
    expect(found).toEqual({ what: expect.stringContaining(why), diff: [], fields: [] });
  });

  it('is nothing for another tool, and for a path that is unknown', async () => {
    const target = { kind: 'paths', paths: [{ given: '/a', lexical: '/a', access: 'write' }] };
    expect(await readChange(requestFor('Put', {}, { facts: { target } }), signal)).toBeUndefined();
    expect(await readChange(requestFor('Edit', {}), signal)).toBeUndefined();
  });

  it('is found soon, also between two long texts with nothing in common', async () => {
    const long = (word: string): string =>
      Array.from({ length: 20_000 }, (__, index) => `${word} ${index}`).join('\n');
    const found = await change('Write', { content: long('new') }, long('old'));
    expect(found?.diff.length).toBeGreaterThanOrEqual(40_000);
  });
});
