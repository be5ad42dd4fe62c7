import { chmod, link, readFile, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MultiEditTool } from '../../../src/tools/files/multi-edit.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import { createWorkspace, run, runData, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

type Edit = {
  readonly file_path?: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
};

/** A workspace of these files, and an agent that has read all of them. */
async function readerOf(files: Readonly<Record<string, string | Buffer>>) {
  const workspace = await createWorkspace(files);
  const context = createContext(workspace.folder);
  for (const file_path of Object.keys(files)) await run(ReadTool, { file_path }, context);
  const edit = (edits: readonly Edit[], file_path?: string) =>
    runText(MultiEditTool, file_path === undefined ? { edits } : { file_path, edits }, context);
  return { ...workspace, context, edit };
}

describe('MultiEdit', () => {
  it('makes the edits of a file in their order and shows them', async () => {
    const { at, text, edit } = await readerOf({ 'a.txt': 'one\ntwo\nthree\n' });
    const edits = [
      { old_string: 'one', new_string: 'two' },
      { old_string: 'two', new_string: '2', replace_all: true },
    ];
    expect(await edit(edits, 'a.txt')).toBe(
      [`Changed ${at('a.txt')}: 3 replacements.`, '     1\t2', '     2\t2', '     3\tthree'].join(
        '\n',
      ),
    );
    expect(await text('a.txt')).toBe('2\n2\nthree\n');
    await edit([{ old_string: 'three', new_string: '3' }], 'a.txt'); // the agent knows what it wrote
  });

  it('changes several files, and creates new ones', async () => {
    const { at, text, context } = await readerOf({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    const edits = [
      { old_string: 'old', new_string: 'new' },
      { file_path: 'b.txt', old_string: 'old', new_string: 'newer' },
      { file_path: 'c/d.txt', old_string: '', new_string: 'first\n' },
      { file_path: 'c/d.txt', old_string: 'first', new_string: '1st' },
    ];
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 };
    expect(
      await runData(MultiEditTool, { file_path: 'a.txt', edits, description: 'Renames' }, context),
    ).toEqual({
      filesModified: 3,
      totalEdits: 4,
      modifiedFiles: [at('a.txt'), at('b.txt'), at('c/d.txt')],
      editResults: [
        { filePath: at('a.txt'), success: true, replacements: 1 },
        { filePath: at('b.txt'), success: true, replacements: 1 },
        { filePath: at('c/d.txt'), success: true, replacements: 1 },
        { filePath: at('c/d.txt'), success: true, replacements: 1 },
      ],
      files: [
        { filePath: at('a.txt'), created: false, diff: [{ ...hunk, lines: ['-old', '+new'] }] },
        { filePath: at('b.txt'), created: false, diff: [{ ...hunk, lines: ['-old', '+newer'] }] },
        {
          filePath: at('c/d.txt'),
          created: true,
          diff: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+1st'] }],
        },
      ],
    });
    expect([await text('a.txt'), await text('b.txt'), await text('c/d.txt')]).toEqual([
      'new\n',
      'newer\n',
      '1st\n',
    ]);
  });

  const change = { old_string: 'x', new_string: 'y' };
  it.each([
    [
      'an edit matches nothing',
      { file_path: 'b.txt', old_string: 'z', new_string: 'y' },
      /^edits\[1\]: old_string is not in .*b\.txt \(0 matches\)\. .* No edit was made\.$/,
    ],
    [
      'an edit matches text that an earlier one has replaced',
      { ...change, new_string: 'z' },
      /^edits\[1\]: old_string is not in .*a\.txt/,
    ],
    [
      'an edit is ambiguous',
      { file_path: 'b.txt', old_string: 'o', new_string: 'y' },
      /^edits\[1\]: old_string has 2 matches in/,
    ],
    [
      'an edit changes nothing',
      { file_path: 'b.txt', old_string: 'o', new_string: 'o' },
      /^edits\[1\]: old_string and new_string are identical/,
    ],
    ['a file is missing', { file_path: 'no/c.txt', ...change }, /c\.txt does not exist/],
    ['a file was not read', { file_path: 'unread.txt', ...change }, /you have not read it/],
    [
      'a file that exists is to be created',
      { file_path: 'b.txt', old_string: '', new_string: 'x' },
      /^edits\[1\]: .*b\.txt exists, and an empty old_string only creates new files/,
    ],
    ['a path is a folder', { file_path: 'folder', ...change }, /folder is a folder, not a file/],
    ['a file is binary', { file_path: 'latin.txt', ...change }, /is not text in utf-8/],
    [
      'half of a character is written',
      { file_path: 'b.txt', old_string: 'o', new_string: '\ud800' },
      /^edits\[1\]: new_string holds half of a character/,
    ],
  ])('changes no file if %s', async (_, second, message) => {
    const { put, list, edit } = await readerOf({
      'a.txt': 'x\n',
      'b.txt': 'foo\n',
      'latin.txt': Buffer.from('\xfc', 'latin1'),
    });
    await put('unread.txt', 'x\n');
    await put('folder/x', '');
    const before = await list();
    const failed = await edit([change, second], 'a.txt').catch((error: Error) => error.message);
    expect(failed).toMatch(message);
    expect(await list()).toEqual(before);
  });

  it('changes no file if one of them has changed since it was read', async () => {
    const { put, text, edit } = await readerOf({ 'a.txt': 'x\n', 'b.txt': 'x\n' });
    await put('b.txt', 'x\nby somebody else\n');
    const edits = ['a.txt', 'b.txt'].map((file_path) => ({ file_path, ...change }));
    await expect(edit(edits)).rejects.toThrow('has changed since you read it');
    expect([await text('a.txt'), await text('b.txt')]).toEqual(['x\n', 'x\nby somebody else\n']);
  });

  it('keeps encodings, line endings, modes and links, and knows a file by its target', async () => {
    const { at, list, context } = await readerOf({
      'crlf.txt': '\uFEFFgrün\r\nx\r\n',
      'wide.txt': Buffer.from('\uFEFFgrün\r\nx\n', 'utf16le'),
    });
    await chmod(at('crlf.txt'), 0o751);
    await symlink('crlf.txt', at('link'));
    const edits = [
      { file_path: 'link', old_string: 'grün\nx', new_string: 'blau\ny' },
      { file_path: 'crlf.txt', old_string: 'y', new_string: 'z' },
      { file_path: 'wide.txt', old_string: 'grün\nx', new_string: 'blau\nrot\ny' },
    ];
    expect(await runData(MultiEditTool, { edits }, context)).toMatchObject({ filesModified: 2 });
    expect(await readFile(at('crlf.txt'), 'utf8')).toBe('\uFEFFblau\r\nz\r\n');
    expect(await readFile(at('wide.txt'), 'utf16le')).toBe('\uFEFFblau\r\nrot\r\ny\n');
    expect((await stat(at('crlf.txt'))).mode & 0o7777).toBe(0o751);
    expect(await list()).toMatchObject({ link: '-> crlf.txt' });
    expect(Object.keys(await list())).toEqual(['crlf.txt', 'link', 'wide.txt']);
  });

  it('leaves the other names of a file as they are: hard links may be protected files', async () => {
    const { at, edit } = await readerOf({ 'a.txt': 'x\n', 'b.txt': 'x\n' });
    await link(at('a.txt'), at('other'));
    const edits = [change, { ...change, file_path: 'b.txt' }];
    await edit(edits, 'a.txt');
    const texts = ['a.txt', 'b.txt', 'other'].map((name) => readFile(at(name), 'utf8'));
    expect(await Promise.all(texts)).toEqual(['y\n', 'y\n', 'x\n']);
  });

  it('writes only to the path that was allowed', async () => {
    const { folder, at, list } = await createWorkspace({ 'a.txt': 'x\n' });
    const context = createContext(folder, { files: { approvedPaths: [at('a.txt')] } });
    await run(ReadTool, { file_path: 'a.txt' }, context);
    const before = await list();
    const edits = [change, { file_path: 'b.txt', old_string: '', new_string: 'x' }];
    await expect(run(MultiEditTool, { file_path: 'a.txt', edits }, context)).rejects.toMatchObject({
      code: 'FILE_NOT_APPROVED',
    });
    expect(await list()).toEqual(before);
  });

  it('asks for every file that it changes, once', () => {
    const edits = [{ ...change }, { ...change, file_path: 'b.txt' }, { ...change, file_path: 'a' }];
    expect(MultiEditTool.permissionTarget?.({ file_path: 'a', edits })).toEqual({
      kind: 'paths',
      paths: [
        { path: 'a', access: 'write' },
        { path: 'b.txt', access: 'write' },
      ],
    });
  });

  it('says before anybody is asked what cannot work', async () => {
    const { folder, context } = await readerOf({ 'a.txt': 'x' });
    const input = { file_path: 'a.txt', edits: [change] };
    expect(await MultiEditTool.validateInput?.(input, context)).toEqual({ result: true });
    expect(await MultiEditTool.validateInput?.(input, createContext(folder))).toMatchObject({
      result: false,
      message: expect.stringContaining('you have not read it') as string,
    });
    const same = { file_path: 'a.txt', edits: [change, { old_string: 'a', new_string: 'a' }] };
    expect(await MultiEditTool.validateInput?.(same, context)).toMatchObject({
      result: false,
      message: expect.stringMatching(/^edits\[1\]: .* identical/) as string,
    });
  });

  it.each([
    [{ edits: [] }, 'edits must have at least 1 item, not an array of 0'],
    [{ file_path: 'a' }, 'edits is required (an array). The input has: file_path'],
    [{ edits: [change] }, 'edits[0]: names no file: give it a file_path'],
    [{ file_path: 'a', edits: [null] }, 'edits[0] must be an object, not null'],
    [{ file_path: 'a', edits: change }, 'edits must be an array, not an object'],
    [
      { file_path: 'a', edits: [{ ...change, replace_all: 'true' }] },
      'edits[0].replace_all must be true or false, not the string "true"',
    ],
    [
      { file_path: 'a', edits: [{ ...change, file_path: 'b\0' }] },
      'edits[0].file_path: must not contain a NUL character',
    ],
  ])('refuses %j', async (input, message) => {
    await expect(run(MultiEditTool, input, createContext('/'))).rejects.toThrow(message);
  });

  it('lets one of two agents win if both change the same files at once', async () => {
    const { folder, text } = await createWorkspace({ 'a.txt': 'x\n', 'b.txt': 'x\n' });
    const agents = await Promise.all(
      ['1', '2'].map(async (new_string) => {
        const context = createContext(folder);
        for (const file_path of ['a.txt', 'b.txt']) await run(ReadTool, { file_path }, context);
        return { new_string, context };
      }),
    );
    const results = await Promise.allSettled(
      agents.map(({ new_string, context }, index) => {
        const names = index === 0 ? ['a.txt', 'b.txt'] : ['b.txt', 'a.txt'];
        const edits = names.map((file_path) => ({ file_path, old_string: 'x', new_string }));
        return run(MultiEditTool, { edits }, context);
      }),
    );
    const winners = agents.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const left = `${winners[0]?.new_string}\n`;
    expect([await text('a.txt'), await text('b.txt')]).toEqual([left, left]);
  });
});
