import { appendFile, chmod, readFile, stat, symlink, unlink, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ReadTool } from '../../../src/tools/files/read.js';
import { WriteTool } from '../../../src/tools/files/write.js';
import { createWorkspace, run, runData, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

describe('Write', () => {
  it('creates a file and the folders above it', async () => {
    const { folder, at, text, list } = await createWorkspace();
    const result = await runText(
      WriteTool,
      { file_path: 'a/b/c.txt', content: 'grün' },
      createContext(folder),
    );
    expect(result).toBe(`Created ${at('a/b/c.txt')} (5 bytes).`);
    expect(await text('a/b/c.txt')).toBe('grün');
    expect(Object.keys(await list())).toEqual(['a', 'a/b', 'a/b/c.txt']);
  });

  it('replaces a file that was read, again and again', async () => {
    const { folder, at, text } = await createWorkspace({ 'a.txt': 'old' });
    const context = createContext(folder);
    await run(ReadTool, { file_path: 'a.txt' }, context);
    const result = await runText(WriteTool, { file_path: 'a.txt', content: 'new' }, context);
    expect(result).toBe(`Replaced the content of ${at('a.txt')} (3 bytes).`);
    await run(WriteTool, { file_path: 'a.txt', content: 'newer' }, context);
    expect(await text('a.txt')).toBe('newer');
  });

  it('gives the change line by line, unless the file was not text', async () => {
    const { folder } = await createWorkspace({
      'crlf.txt': 'a\r\nb\r\n',
      'same.txt': 'a\r\nb\r\n',
      'latin.txt': Buffer.from('gr\xfcn', 'latin1'),
    });
    const context = createContext(folder);
    const diffOf = async (file_path: string, content: string) => {
      if (file_path !== 'new.txt') await run(ReadTool, { file_path }, context);
      return (await runData(WriteTool, { file_path, content }, context)) as { diff?: unknown };
    };
    expect(await diffOf('new.txt', 'a\nb')).toMatchObject({
      diff: [{ oldLines: 0, newLines: 2, lines: ['+a', '+b', '\\ No newline at end of file'] }],
    });
    expect(await diffOf('crlf.txt', 'a\nc\n')).toMatchObject({
      diff: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', '+c'] }],
    });
    expect(await diffOf('same.txt', 'a\nb\n')).toMatchObject({ diff: [] });
    expect(await diffOf('latin.txt', 'green')).not.toHaveProperty('diff');
  });

  it('refuses what is not what the call was allowed for', async () => {
    const { folder, at, list } = await createWorkspace({ 'inside/a': '', 'outside/a': '' });
    await symlink(at('inside'), at('link'));
    const context = createContext(folder, { files: { approvedPaths: [at('inside/new.txt')] } });
    const write = () => run(WriteTool, { file_path: 'link/new.txt', content: 'x' }, context);
    await write();
    await unlink(at('link'));
    await symlink(at('outside'), at('link'));
    const before = await list();
    await expect(write()).rejects.toMatchObject({
      code: 'FILE_NOT_APPROVED',
      message: expect.stringContaining(`No approval to write ${at('outside/new.txt')}`),
    });
    expect(await list()).toEqual(before);
  });

  it('takes ".." behind a link from where the link leads, as the system does', async () => {
    const { folder, at, text } = await createWorkspace({ 'a/b/c': '' });
    await symlink(at('a/b'), at('link'));
    const context = createContext(folder, { files: { approvedPaths: [at('a/new.txt')] } });
    await run(WriteTool, { file_path: 'link/../new.txt', content: 'x' }, context);
    expect(await text('a/new.txt')).toBe('x');
  });

  it('says that a name is too long to be written', async () => {
    const { folder } = await createWorkspace();
    const file_path = 'x'.repeat(300);
    await expect(
      run(WriteTool, { file_path, content: 'x' }, createContext(folder)),
    ).rejects.toThrow(/^Cannot write .*too long/);
  });

  it('says before anybody is asked that a file was not read, or has changed', async () => {
    const { folder, at } = await createWorkspace({ 'a.txt': 'old' });
    const context = createContext(folder);
    const validate = (file_path: string) =>
      WriteTool.validateInput?.({ file_path, content: 'new' }, context);
    expect(await validate('a.txt')).toEqual({
      result: false,
      message: expect.stringContaining(`${at('a.txt')} `) as string,
    });
    expect(await validate('new.txt')).toEqual({ result: true });
    await run(ReadTool, { file_path: 'a.txt' }, context);
    expect(await validate('a.txt')).toEqual({ result: true });
    await appendFile(at('a.txt'), 'er');
    expect(await validate('a.txt')).toMatchObject({ result: false });
  });

  it('refuses a file that this agent has not read, even if another agent has', async () => {
    const { folder, at, list } = await createWorkspace({ 'a.txt': 'old' });
    const before = await list();
    await run(ReadTool, { file_path: 'a.txt' }, createContext(folder));
    const write = run(WriteTool, { file_path: 'a.txt', content: 'new' }, createContext(folder));
    await expect(write).rejects.toThrow(
      `${at('a.txt')} exists and you have not read it. Read it first`,
    );
    expect(await list()).toEqual(before);
  });

  it('refuses a file that changed since, also when size and time are the same', async () => {
    const { folder, at, put, text } = await createWorkspace({ 'a.txt': 'old' });
    const context = createContext(folder);
    await run(ReadTool, { file_path: 'a.txt' }, context);
    const { atime, mtime } = await stat(at('a.txt'));
    await put('a.txt', 'odd');
    await utimes(at('a.txt'), atime, mtime);
    const write = run(WriteTool, { file_path: 'a.txt', content: 'new' }, context);
    await expect(write).rejects.toThrow('has changed since you read it, so nothing was written');
    expect(await text('a.txt')).toBe('odd');
  });

  it('accepts a file whose time alone changed', async () => {
    const { folder, at, text } = await createWorkspace({ 'a.txt': 'old' });
    const context = createContext(folder);
    await run(ReadTool, { file_path: 'a.txt' }, context);
    await utimes(at('a.txt'), 1, 1);
    await run(WriteTool, { file_path: 'a.txt', content: 'new' }, context);
    expect(await text('a.txt')).toBe('new');
  });

  it('lets one of several writers at a time win, and tells the others', async () => {
    const { folder, text, list } = await createWorkspace({ 'a.txt': 'old' });
    const writers = await Promise.all(
      ['1', '2', '3', '4'].map(async (content) => {
        const context = createContext(folder);
        await run(ReadTool, { file_path: 'a.txt' }, context);
        return { content, context };
      }),
    );
    const results = await Promise.allSettled(
      writers.map(({ content, context }) =>
        run(WriteTool, { file_path: 'a.txt', content }, context),
      ),
    );
    const winners = writers.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(winners.map(({ content }) => content)).toEqual([await text('a.txt')]);
    expect(Object.keys(await list())).toEqual(['a.txt']);
  });

  it('lets one of several creators win', async () => {
    const { folder, text } = await createWorkspace();
    const contents = ['1', '2', '3'];
    const results = await Promise.allSettled(
      contents.map((content) =>
        run(WriteTool, { file_path: 'new.txt', content }, createContext(folder)),
      ),
    );
    const winners = contents.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(winners).toEqual([await text('new.txt')]);
  });

  it('keeps mode, encoding and line endings', async () => {
    const { folder, at } = await createWorkspace({
      'crlf.txt': '\uFEFFa\r\nb\r\n',
      'utf16.txt': Buffer.from('\uFEFFa\n', 'utf16le'),
    });
    await chmod(at('crlf.txt'), 0o754);
    const context = createContext(folder);
    for (const file_path of ['crlf.txt', 'utf16.txt']) {
      await run(ReadTool, { file_path }, context);
      await run(WriteTool, { file_path, content: 'c\nd\n' }, context);
    }
    expect(await readFile(at('crlf.txt'), 'utf8')).toBe('\uFEFFc\r\nd\r\n');
    expect((await stat(at('crlf.txt'))).mode & 0o7777).toBe(0o754);
    expect(await readFile(at('utf16.txt'), 'utf16le')).toBe('\uFEFFc\nd\n');
  });

  it('writes through symbolic links, which stay links', async () => {
    const { folder, at, list } = await createWorkspace({ 'real/a.txt': 'old' });
    await symlink('real/a.txt', at('link'));
    await symlink('real/new.txt', at('dangling'));
    const context = createContext(folder);
    await run(ReadTool, { file_path: 'real/a.txt' }, context);
    await run(WriteTool, { file_path: 'link', content: 'new' }, context);
    await run(WriteTool, { file_path: 'dangling', content: 'made' }, context);
    expect(await list()).toMatchObject({
      link: '-> real/a.txt',
      dangling: '-> real/new.txt',
      'real/a.txt': expect.stringMatching(/ new$/),
      'real/new.txt': expect.stringMatching(/ made$/),
    });
  });

  it.each([
    ['a folder', { file_path: 'folder', content: 'x' }, 'is a folder, not a file'],
    ['a path below a file', { file_path: 'a.txt/b', content: 'x' }, 'is a file, not a folder'],
    ['a name that is too long', { file_path: `n/m/${'x'.repeat(300)}`, content: '' }, 'too long'],
    [
      'half a character',
      { file_path: 'n/b.txt', content: 'ab\ud800' },
      'half of a character (a lone surrogate) at index 2',
    ],
    ['a NUL', { file_path: 'b\0.txt', content: '' }, 'file_path: must not contain a NUL character'],
    [
      'no content',
      { file_path: 'b.txt' },
      'Write: content is required (a string). The input has: file_path',
    ],
  ])('leaves everything as it is for %s', async (_, input, message) => {
    const { folder, list } = await createWorkspace({ 'a.txt': 'x', 'folder/x': '' });
    const before = await list();
    await expect(run(WriteTool, input, createContext(folder))).rejects.toThrow(message);
    expect(await list()).toEqual(before);
  });
});
