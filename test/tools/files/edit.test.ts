import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EditTool } from '../../../src/tools/files/edit.js';
import { ReadTool } from '../../../src/tools/files/read.js';
import { createWorkspace, run, runData, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

/** A workspace of one file, and an agent that has read it. */
async function readerOf(content: string | Buffer) {
  const workspace = await createWorkspace({ 'a.txt': content });
  const context = createContext(workspace.folder);
  await run(ReadTool, { file_path: 'a.txt' }, context);
  const edit = (old_string: string, new_string: string, replace_all?: boolean) => {
    const input = { file_path: 'a.txt', old_string, new_string };
    return runText(
      EditTool,
      replace_all === undefined ? input : { ...input, replace_all },
      context,
    );
  };
  return { ...workspace, context, edit };
}

describe('Edit', () => {
  it('replaces a unique passage and shows it', async () => {
    const { at, text, edit } = await readerOf('1\n2\n3\n4\n5\n6\n7\n8\n');
    expect(await edit('6\n', 'six\nand a half\n')).toBe(
      [
        `Changed ${at('a.txt')} at line 6.`,
        '     2\t2',
        '     3\t3',
        '     4\t4',
        '     5\t5',
        '     6\tsix',
        '     7\tand a half',
        '     8\t7',
        '     9\t8',
      ].join('\n'),
    );
    expect(await text('a.txt')).toBe('1\n2\n3\n4\n5\nsix\nand a half\n7\n8\n');
    await edit('six', '6'); // it knows what it wrote
  });

  it('gives the change line by line', async () => {
    const { context } = await readerOf('1\r\n2\r\n3\r\n4\r\n5\r\n');
    const input = { file_path: 'a.txt', old_string: '4', new_string: 'four\nand a half' };
    expect(await runData(EditTool, input, context)).toMatchObject({
      diff: [
        {
          oldStart: 1,
          oldLines: 5,
          newStart: 1,
          newLines: 6,
          lines: [' 1', ' 2', ' 3', '-4', '+four', '+and a half', ' 5'],
        },
      ],
    });
  });

  it('gives no change of a file that is too large to compare', async () => {
    const { context } = await readerOf('1\n'.repeat(1_000_000) + '2\n');
    const input = { file_path: 'a.txt', old_string: '2', new_string: '3' };
    expect(await runData(EditTool, input, context)).not.toHaveProperty('diff');
  });

  it('replaces all passages with replace_all', async () => {
    const { at, text, edit } = await readerOf('a b\na\n');
    expect((await edit('a', 'aa', true)).split('\n')[0]).toBe(
      `Changed ${at('a.txt')}: 2 replacements at lines 1, 2.`,
    );
    expect(await text('a.txt')).toBe('aa b\naa\n');
  });

  it('takes what it puts in literally', async () => {
    const { text, edit } = await readerOf('price');
    await edit('price', "$& $1 $' \\n");
    expect(await text('a.txt')).toBe("$& $1 $' \\n");
  });

  it.each([
    ['several matches', 'x\ny\nx\n', 'x', 'z', 'has 2 matches in', 'at lines 1, 3. Add text'],
    ['matches that overlap', 'aaa', 'aa', 'b', 'has 2 matches in', 'at lines 1. Add text'],
    ['no match', 'x\n', 'y', 'z', 'is not in', '(0 matches). Read the file again'],
    [
      'other white space',
      '  if (a) {\n\tb\n}',
      'if (a) {\n  b\n}',
      'z',
      'is not in',
      'Lines 1-3 are the same except for white space',
    ],
    ['line numbers', 'x\n', '     1\tx', 'z', 'is not in', 'Leave out the line numbers'],
    ['equal strings', 'x\n', 'x', 'x', 'are identical', 'nothing to change'],
    ['line endings alone', 'x\n', 'x\n', 'x\r\n', 'differ in line endings only', 'which are kept'],
    [
      'an empty old_string',
      'x\n',
      '',
      'y',
      'exists, and an empty old_string only creates',
      'with Write',
    ],
    ['half a character', 'x\n', 'x', '\udc00', 'half of a character', 'no file can store'],
  ])('refuses %s', async (_, content, old_string, new_string, ...messages) => {
    const { list, edit } = await readerOf(content);
    const before = await list();
    const error = await edit(old_string, new_string).catch((reason: Error) => reason.message);
    for (const message of messages) expect(error).toContain(message);
    expect(await list()).toEqual(before);
  });

  it('finds and keeps CRLF, written as LF or as it is', async () => {
    const { text, edit } = await readerOf('a\r\nb\r\nc\r\nd\r\n');
    await edit('a\nb', 'A\nB');
    await edit('c\r\nd', 'C\r\nD');
    await edit('B', 'B1\nB2');
    expect(await text('a.txt')).toBe('A\r\nB1\r\nB2\r\nC\r\nD\r\n');
  });

  it('keeps each line ending of a mixed file', async () => {
    const { text, edit } = await readerOf('a\r\nb\nc\nd\n');
    await edit('a\nb', 'a\nx\nb');
    await edit('c\nd', 'c\ny\nd');
    expect(await text('a.txt')).toBe('a\r\nx\r\nb\nc\ny\nd\n');
  });

  it('keeps byte order mark, encoding and mode', async () => {
    const utf8 = await readerOf('\uFEFFgrün\n');
    await chmod(utf8.at('a.txt'), 0o600);
    await utf8.edit('grün', 'blau');
    expect(await utf8.text('a.txt')).toBe('\uFEFFblau\n');
    expect((await stat(utf8.at('a.txt'))).mode & 0o7777).toBe(0o600);
    const utf16 = await readerOf(Buffer.from('\uFEFFgrün\r\n', 'utf16le'));
    await utf16.edit('grün\n', 'blau\nrot\n');
    expect(await readFile(utf16.at('a.txt'), 'utf16le')).toBe('\uFEFFblau\r\nrot\r\n');
  });

  it('refuses bytes that it would damage', async () => {
    const { list, edit } = await readerOf(Buffer.from('gr\xfcn\n', 'latin1'));
    const before = await list();
    await expect(edit('n', 'm')).rejects.toThrow(
      'is not text in utf-8, so an edit would damage it',
    );
    expect(await list()).toEqual(before);
  });

  it('creates a new file from an empty old_string', async () => {
    const { folder, at, text } = await createWorkspace();
    const input = { file_path: 'new/a.txt', old_string: '', new_string: 'x\n' };
    expect(await runText(EditTool, input, createContext(folder))).toBe(
      `Created ${at('new/a.txt')}.`,
    );
    expect(await text('new/a.txt')).toBe('x\n');
  });

  it('says before anybody is asked that a file was not read', async () => {
    const { folder, context } = await readerOf('x');
    const input = { file_path: 'a.txt', old_string: 'x', new_string: 'y', replace_all: false };
    expect(await EditTool.validateInput?.(input, context)).toEqual({ result: true });
    expect(await EditTool.validateInput?.(input, createContext(folder))).toMatchObject({
      result: false,
      message: expect.stringContaining('you have not read it') as string,
    });
  });

  it('refuses a file that is missing, was not read, or has changed', async () => {
    const { folder, at, put, text, edit } = await readerOf('x\n');
    const input = { file_path: 'b.txt', old_string: 'x', new_string: 'y' };
    await expect(run(EditTool, input, createContext(folder))).rejects.toThrow(
      `${at('b.txt')} does not exist`,
    );
    const stranger = run(EditTool, { ...input, file_path: 'a.txt' }, createContext(folder));
    await expect(stranger).rejects.toThrow('you have not read it');
    await put('a.txt', 'x\nz\n');
    await expect(edit('x', 'y')).rejects.toThrow('has changed since you read it');
    expect(await text('a.txt')).toBe('x\nz\n');
  });

  it('names the tool for notebooks if a passage is not in one', async () => {
    const { folder } = await createWorkspace({ 'a.ipynb': '{}' });
    const context = createContext(folder);
    await run(ReadTool, { file_path: 'a.ipynb' }, context);
    const input = { file_path: 'a.ipynb', old_string: 'print(1)', new_string: 'print(2)' };
    await expect(run(EditTool, input, context)).rejects.toThrow(
      'Change the cells of a notebook with NotebookEdit.',
    );
  });

  it('keeps a symbolic link', async () => {
    const { at, context, list } = await readerOf('x\n');
    await symlink('a.txt', at('link'));
    await run(EditTool, { file_path: 'link', old_string: 'x', new_string: 'y' }, context);
    expect(await list()).toMatchObject({
      link: '-> a.txt',
      'a.txt': expect.stringMatching(/ y\n$/),
    });
  });

  it('loses no edit of two agents at once', async () => {
    const { folder, text } = await createWorkspace({ 'a.txt': 'x y\n' });
    const edits = await Promise.allSettled(
      ['x', 'y'].map(async (old_string) => {
        const context = createContext(folder);
        await run(ReadTool, { file_path: 'a.txt' }, context);
        const new_string = old_string.toUpperCase();
        await run(EditTool, { file_path: 'a.txt', old_string, new_string }, context);
        return new_string;
      }),
    );
    const done = edits.flatMap((edit) => (edit.status === 'fulfilled' ? [edit.value] : []));
    expect(done.length).toBeGreaterThan(0);
    for (const letter of done) expect(await text('a.txt')).toContain(letter);
  });
});
