import { chmod, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { NotebookEditTool } from '../../../src/tools/files/notebook-edit.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import { createContext } from '../../support/tool-context.js';
import { createWorkspace, run, runData, runText } from './workspace.js';

type Input = Readonly<Record<string, unknown>>;

const MARKDOWN = {
  cell_type: 'markdown',
  id: 'intro',
  metadata: {},
  source: ['# Title\n', 'Text'],
};
const CODE = {
  cell_type: 'code',
  execution_count: 3,
  id: 'sum',
  metadata: { tags: ['keep'], collapsed: false },
  outputs: [{ name: 'stdout', output_type: 'stream', text: ['2\n'] }],
  source: ['print(1 + 1)'],
};
const NOTEBOOK = {
  cells: [MARKDOWN, CODE],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** As Jupyter writes notebooks. */
const toText = (notebook: unknown): string => `${JSON.stringify(notebook, null, 1)}\n`;

/** A workspace with a notebook, and an agent that has read it. */
async function readerOf(content: string | Buffer | object) {
  const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : toText(content);
  const workspace = await createWorkspace({ 'a.ipynb': text });
  const context = createContext(workspace.folder);
  await run(ReadTool, { file_path: 'a.ipynb' }, context);
  const edit = (input: Input) =>
    runText(NotebookEditTool, { notebook_path: 'a.ipynb', ...input }, context);
  return { ...workspace, context, edit };
}

describe('NotebookEdit', () => {
  it('replaces the source of a code cell and clears its outputs, and changes nothing else', async () => {
    const { at, text, edit } = await readerOf(NOTEBOOK);
    expect(await edit({ cell_id: 'sum', new_source: 'import os\nprint(2)' })).toBe(
      `Replaced the code cell sum of ${at('a.ipynb')}, which has 2 cells now. Its outputs were cleared.`,
    );
    const changed = {
      ...CODE,
      execution_count: null,
      outputs: [],
      source: ['import os\n', 'print(2)'],
    };
    expect(await text('a.ipynb')).toBe(toText({ ...NOTEBOOK, cells: [MARKDOWN, changed] }));
    await edit({ cell_id: 'sum', new_source: '' }); // the agent knows what it wrote
    expect(await text('a.ipynb')).toBe(
      toText({ ...NOTEBOOK, cells: [MARKDOWN, { ...changed, source: [] }] }),
    );
  });

  it.each([
    ['at the beginning', {}, 0],
    ['after a cell', { cell_id: 'intro' }, 1],
    ['after the last cell', { cell_id: 'sum' }, 2],
  ])('inserts a cell %s, with a new id', async (_, place, index) => {
    const { text, edit } = await readerOf(NOTEBOOK);
    await edit({ ...place, edit_mode: 'insert', cell_type: 'code', new_source: 'a = 1\n' });
    const written = await text('a.ipynb');
    const { id } = (JSON.parse(written) as typeof NOTEBOOK).cells[index] ?? {};
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    const cell = {
      cell_type: 'code',
      execution_count: null,
      id,
      metadata: {},
      outputs: [],
      source: ['a = 1\n'],
    };
    const cells: unknown[] = [MARKDOWN, CODE];
    cells.splice(index, 0, cell);
    expect(written).toBe(toText({ ...NOTEBOOK, cells }));
  });

  it('deletes a cell', async () => {
    const { at, text, edit } = await readerOf(NOTEBOOK);
    expect(await edit({ cell_id: 'intro', edit_mode: 'delete', new_source: '' })).toBe(
      `Deleted the markdown cell intro of ${at('a.ipynb')}, which has 1 cell now.`,
    );
    expect(await text('a.ipynb')).toBe(toText({ ...NOTEBOOK, cells: [CODE] }));
  });

  it('makes a code cell of a text cell and the other way round', async () => {
    const { text, edit } = await readerOf({
      ...NOTEBOOK,
      cells: [{ attachments: {}, ...MARKDOWN }, CODE],
    });
    await edit({ cell_id: 'intro', cell_type: 'code', new_source: 'x' });
    await edit({ cell_id: 'sum', cell_type: 'markdown', new_source: 'y' });
    const { metadata } = CODE;
    const cells = [
      {
        cell_type: 'code',
        execution_count: null,
        id: 'intro',
        metadata: {},
        outputs: [],
        source: ['x'],
      },
      { cell_type: 'markdown', id: 'sum', metadata, source: ['y'] },
    ];
    expect(await text('a.ipynb')).toBe(toText({ ...NOTEBOOK, cells }));
  });

  it('gives the change of the cell line by line', async () => {
    const { at, context } = await readerOf(NOTEBOOK);
    const input = { notebook_path: 'a.ipynb', cell_id: 'intro', new_source: '# Title\nMore' };
    expect(await runData(NotebookEditTool, input, context)).toEqual({
      notebookPath: at('a.ipynb'),
      editMode: 'replace',
      cellId: 'intro',
      cellType: 'markdown',
      language: 'python',
      cellCount: 2,
      diff: [
        {
          oldStart: 1,
          oldLines: 2,
          newStart: 1,
          newLines: 2,
          lines: [
            ' # Title',
            '-Text',
            '\\ No newline at end of file',
            '+More',
            '\\ No newline at end of file',
          ],
        },
      ],
    });
  });

  it.each([
    ['four spaces', JSON.stringify(NOTEBOOK, null, 4)],
    ['tabs and CRLF', JSON.stringify(NOTEBOOK, null, '\t').replaceAll('\n', '\r\n')],
    ['no indentation', JSON.stringify(NOTEBOOK)],
    ['a byte order mark', `\uFEFF${toText(NOTEBOOK)}`],
  ])('keeps %s', async (_, before) => {
    const { text, edit } = await readerOf(before);
    await edit({ cell_id: 'intro', new_source: '# Title\nMore' });
    expect(await text('a.ipynb')).toBe(before.replace('"Text"', '"More"'));
    await edit({
      cell_id: 'intro',
      edit_mode: 'insert',
      cell_type: 'markdown',
      new_source: 'x',
    });
    await edit({ cell_id: 'intro', new_source: '# Title\nText' });
    const inserted = JSON.parse((await text('a.ipynb')).replace('\uFEFF', '')) as typeof NOTEBOOK;
    await edit({ cell_id: inserted.cells[1]?.id, edit_mode: 'delete', new_source: '' });
    expect(await text('a.ipynb')).toBe(before);
  });

  it('keeps the spelling of numbers and characters, the order of keys, and sources that are one text', async () => {
    const before =
      '{"nbformat_minor":2,"nbformat":4,"metadata":{"b":1.0,"2":1e3,"1":"\\u00fc"},"cells":[{"source":"a\\nb","metadata":{"x":1.50},"cell_type":"raw"}]}';
    const { text, edit } = await readerOf(before);
    await edit({ cell_id: 'cell-0', new_source: 'ü\nc' });
    expect(await text('a.ipynb')).toBe(before.replace('a\\nb', 'ü\\nc'));
  });

  it('finds cells without ids by their position, and gives new ones none', async () => {
    const { id: _, ...cell } = MARKDOWN;
    const old = { ...NOTEBOOK, cells: [cell, { ...cell, source: ['second'] }], nbformat_minor: 4 };
    const { at, text, edit } = await readerOf(old);
    const input = { edit_mode: 'insert', cell_type: 'markdown', new_source: 'x' };
    expect(await edit({ ...input, cell_id: 'cell-1' })).toBe(
      `Inserted the markdown cell cell-2 of ${at('a.ipynb')}, which has 3 cells now.`,
    );
    expect(JSON.parse(await text('a.ipynb'))).toEqual({
      ...old,
      cells: [...old.cells, { cell_type: 'markdown', metadata: {}, source: ['x'] }],
    });
  });

  it('keeps mode and link of the file', async () => {
    const { at, list, context } = await readerOf(NOTEBOOK);
    await chmod(at('a.ipynb'), 0o640);
    await symlink('a.ipynb', at('link.ipynb'));
    const input = { notebook_path: 'link.ipynb', cell_id: 'intro', new_source: 'x' };
    await run(NotebookEditTool, input, context);
    expect((await stat(at('a.ipynb'))).mode & 0o7777).toBe(0o640);
    expect(Object.keys(await list())).toEqual(['a.ipynb', 'link.ipynb']);
    expect(await list()).toMatchObject({ 'link.ipynb': '-> a.ipynb' });
  });

  const replace = { cell_id: 'sum', new_source: 'x' };
  it.each([
    [
      'an unknown cell',
      NOTEBOOK,
      { ...replace, cell_id: 'sun' },
      /no cell "sun". Did you mean "sum"\? The cells are: intro, sum\. Nothing was changed/,
    ],
    [
      'a position in a notebook with ids',
      NOTEBOOK,
      { ...replace, cell_id: 'cell-1' },
      /no cell "cell-1"/,
    ],
    [
      'a cell of an empty notebook',
      { ...NOTEBOOK, cells: [] },
      replace,
      /no cell "sum": the notebook has no cells/,
    ],
    [
      'an id that two cells have',
      { ...NOTEBOOK, cells: [CODE, CODE] },
      replace,
      /several cells have the id "sum"/,
    ],
    [
      'a replacement without a cell',
      NOTEBOOK,
      { new_source: 'x' },
      /cell_id is required with edit_mode replace/,
    ],
    [
      'a deletion without a cell',
      NOTEBOOK,
      { new_source: '', edit_mode: 'delete' },
      /cell_id is required with edit_mode delete/,
    ],
    [
      'an insertion without a type',
      NOTEBOOK,
      { ...replace, edit_mode: 'insert' },
      /cell_type is required with edit_mode insert/,
    ],
    [
      'half of a character',
      NOTEBOOK,
      { ...replace, new_source: '\udc00' },
      /new_source holds half of a character/,
    ],
    [
      'text that is not JSON',
      '{"cells": [',
      replace,
      /is not a notebook that NotebookEdit can change: it is not JSON \(.*\)\. Nothing was changed/,
    ],
    [
      'nbformat 3',
      { worksheets: [], nbformat: 3, nbformat_minor: 0 },
      replace,
      /it has nbformat 3, and only 4 is supported\. Convert it with Bash: jupyter nbconvert/,
    ],
    ['nbformat 5', { ...NOTEBOOK, nbformat: 5 }, replace, /"nbformat" must be 4, not the number 5/],
    ['JSON that is no notebook', '[]', replace, /it must be an object, not an array of 0/],
    [
      'a cell of no known form',
      { ...NOTEBOOK, cells: [{ ...CODE, source: 5 }] },
      replace,
      /"cells\.0\.source" must be a string or an array, not the number 5/,
    ],
    [
      'cells that stand twice',
      toText(NOTEBOOK).replace(
        '{',
        '{ "cells": [{"cell_type":"raw","id":"sum","metadata":{},"source":""}],',
      ),
      replace,
      /has a key twice/,
    ],
    ['bytes that are not text', Buffer.from('\xfc{}', 'latin1'), replace, /is not text in utf-8/],
    [
      'JSON that is nested too deep',
      `{"a":${'['.repeat(600)}${']'.repeat(600)}}`,
      replace,
      /nested more than 500 deep/,
    ],
  ])('refuses %s and changes nothing', async (_, content, input, message) => {
    const { list, edit } = await readerOf(content);
    const before = await list();
    const failed = await edit(input).catch((error: Error) => error.message);
    expect(failed).toMatch(message);
    expect(await list()).toEqual(before);
  });

  it('refuses a notebook that is missing, was not read, or has changed', async () => {
    const { folder, at, put, text, context, edit } = await readerOf(NOTEBOOK);
    const input = { notebook_path: 'b.ipynb', ...replace };
    await expect(run(NotebookEditTool, input, context)).rejects.toThrow(
      `${at('b.ipynb')} does not exist`,
    );
    const own = { ...input, notebook_path: 'a.ipynb' };
    const stranger = createContext(folder);
    await expect(run(NotebookEditTool, own, stranger)).rejects.toThrow('you have not read it');
    expect(await NotebookEditTool.validateInput?.(own, stranger)).toMatchObject({
      result: false,
      message: expect.stringContaining('you have not read it') as string,
    });
    await put('a.ipynb', '{}');
    await expect(edit(replace)).rejects.toThrow('has changed since you read it');
    expect(await text('a.ipynb')).toBe('{}');
  });

  it.each([
    [{ ...replace }, 'notebook_path is required (a string)'],
    [
      { notebook_path: 'a.txt', ...replace },
      'its name does not end with .ipynb. Change it with Edit',
    ],
    [{ notebook_path: 'a\0.ipynb', ...replace }, 'notebook_path: must not contain a NUL character'],
    [{ notebook_path: 'a.ipynb', cell_id: 'a' }, 'new_source is required (a string)'],
    [
      { notebook_path: 'a.ipynb', ...replace, edit_mode: 'append' },
      'edit_mode must be one of "replace", "insert", "delete", not the string "append"',
    ],
    [
      { notebook_path: 'a.ipynb', ...replace, cell_type: 'raw' },
      'cell_type must be one of "code", "markdown", not the string "raw"',
    ],
    [
      { notebook_path: 'a.ipynb', ...replace, cell_id: 1 },
      'cell_id must be a string, not the number 1',
    ],
  ])('refuses the input %j', async (input, message) => {
    await expect(run(NotebookEditTool, input, createContext('/'))).rejects.toThrow(message);
  });

  it('needs approval for the notebook', () => {
    expect(
      NotebookEditTool.permissionTarget?.({ notebook_path: 'a.ipynb', new_source: 'x' }),
    ).toEqual({ kind: 'paths', paths: [{ path: 'a.ipynb', access: 'write' }] });
  });
});
