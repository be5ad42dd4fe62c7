import { execFileSync } from 'node:child_process';
import { mkdir, open, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ReadTool } from '../../../src/tools/files/read.js';
import { createWorkspace, run, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

describe('Read', () => {
  it('shows lines with their numbers, and remembers the file', async () => {
    const { folder, at } = await createWorkspace({ 'a.txt': 'one\ntwo\r\nthree' });
    const context = createContext(folder);
    const expected = '     1\tone\n     2\ttwo\n     3\tthree';
    expect(await runText(ReadTool, { file_path: at('a.txt') }, context)).toBe(expected);
    expect(context.files.readFileState.get(at('a.txt'))).toEqual({
      mtimeMs: expect.any(Number),
      size: 14,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('resolves a relative path against the working folder', async () => {
    const { folder } = await createWorkspace({ 'src/a.txt': 'x\n' });
    expect(await runText(ReadTool, { file_path: 'src/a.txt' }, createContext(folder))).toBe(
      '     1\tx',
    );
  });

  it('takes a window of lines and says how to read the rest', async () => {
    const { folder, at } = await createWorkspace({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const context = createContext(folder);
    expect(await runText(ReadTool, { file_path: at('a.txt'), offset: 2, limit: 2 }, context)).toBe(
      '     2\t2\n     3\t3\n[Lines 2-3 of 5. Read on with offset 4.]',
    );
    expect(await runText(ReadTool, { file_path: at('a.txt'), offset: 4, limit: 2 }, context)).toBe(
      '     4\t4\n     5\t5',
    );
    expect(await runText(ReadTool, { file_path: at('a.txt'), offset: 9 }, context)).toBe(
      `[${at('a.txt')} has 5 lines; line 9 is past its end.]`,
    );
  });

  it('reads 2,000 lines if no limit is given', async () => {
    const { folder } = await createWorkspace({ 'a.txt': 'x\n'.repeat(2_001) });
    const lines = (await runText(ReadTool, { file_path: 'a.txt' }, createContext(folder))).split(
      '\n',
    );
    expect(lines.slice(-2)).toEqual([
      '  2000\tx',
      '[Lines 1-2000 of 2001. Read on with offset 2001.]',
    ]);
  });

  it('cuts long lines', async () => {
    const { folder } = await createWorkspace({ 'a.txt': `${'x'.repeat(3_000)}\nshort` });
    expect(await runText(ReadTool, { file_path: 'a.txt' }, createContext(folder))).toBe(
      `     1\t${'x'.repeat(2_000)}… [line cut, it has 3000 characters]\n     2\tshort`,
    );
  });

  it('stops after as much text as one call gives, whatever the limit', async () => {
    const { folder } = await createWorkspace({ 'a.txt': `${'x'.repeat(99)}\n`.repeat(10_000) });
    const context = createContext(folder, {
      files: { fileReadingLimits: { maxSizeBytes: 1_000 } },
    });
    const lines = (await runText(ReadTool, { file_path: 'a.txt', limit: 1e12 }, context)).split(
      '\n',
    );
    expect(lines.at(-1)).toBe(
      '[Lines 1-10 of 10000, which is as much text as one call gives. Read on with offset 11.]',
    );
  });

  it('reads the start of a huge file without the rest', async () => {
    const { folder, at } = await createWorkspace();
    const handle = await open(at('huge.log'), 'w');
    await handle.write('first\nsecond\n'.repeat(20_000));
    await handle.truncate(2 ** 31); // a hole: no real bytes
    await handle.close();
    const context = createContext(folder);
    expect(await runText(ReadTool, { file_path: 'huge.log', limit: 1 }, context)).toBe(
      '     1\tfirst\n[Lines 1-1 of more. Read on with offset 2.]',
    );
    expect(context.files.readFileState.get(at('huge.log'))).toBeUndefined();
  });

  it('says that a file is empty', async () => {
    const { folder, at } = await createWorkspace({ 'a.txt': '' });
    expect(await runText(ReadTool, { file_path: 'a.txt' }, createContext(folder))).toBe(
      `[${at('a.txt')} exists and is empty.]`,
    );
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFgrün\n', 'utf8')],
    ['UTF-16LE', Buffer.from('\uFEFFgrün\n', 'utf16le')],
    ['UTF-16BE', Buffer.from('\uFEFFgrün\n', 'utf16le').swap16()],
  ])('reads %s', async (_, bytes) => {
    const { folder } = await createWorkspace({ 'a.txt': bytes });
    expect(await runText(ReadTool, { file_path: 'a.txt' }, createContext(folder))).toBe(
      '     1\tgrün',
    );
  });

  it('shows an image as an image, by its bytes and not its name', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const { folder } = await createWorkspace({ 'a.txt': png });
    expect(await run(ReadTool, { file_path: 'a.txt' }, createContext(folder))).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') },
        },
      ],
    });
  });

  it('names near misses of a missing file', async () => {
    const { folder, at } = await createWorkspace({ 'src/index.ts': '', 'src/other.md': '' });
    const context = createContext(folder);
    await expect(run(ReadTool, { file_path: at('src/indx.ts') }, context)).rejects.toThrow(
      `${at('src/indx.ts')} does not exist. Did you mean ${at('src/index.ts')}?`,
    );
    await expect(run(ReadTool, { file_path: at('scr/index.ts') }, context)).rejects.toThrow(
      `The nearest folder that exists is ${folder}. Did you mean ${at('src')}?`,
    );
    await expect(run(ReadTool, { file_path: '/src/index.ts' }, context)).rejects.toThrow(
      `Did you mean ${at('src/index.ts')}`,
    );
  });

  it('refuses what is no text or image, and says what to do', async () => {
    const files = { 'a.bin': Buffer.from([1, 0, 2]), 'folder/x': '' };
    const { folder, at } = await createWorkspace(files);
    await mkdir(at('empty'));
    execFileSync('mkfifo', [at('pipe')]);
    await symlink('loop', at('loop'));
    await symlink('nothing', at('dangling'));
    const read = (name: string) => run(ReadTool, { file_path: name }, createContext(folder));
    await expect(read('dangling')).rejects.toThrow(
      `${at('dangling')} is a link to nothing, which does not exist.`,
    );
    await expect(read('a.bin')).rejects.toThrow('is a binary file, which Read does not support');
    await expect(read('folder')).rejects.toThrow('is a folder, not a file. List it with Glob');
    await expect(read('pipe')).rejects.toThrow('is a device or a pipe, not a regular file');
    await expect(read('loop')).rejects.toThrow('its symbolic links form a loop');
    await expect(read('folder/x/y')).rejects.toThrow('is a file, not a folder (ENOTDIR)');
    await expect(read('/dev/zero')).rejects.toThrow('is a device or a pipe');
  });

  it('does nothing once it is aborted', async () => {
    const { folder } = await createWorkspace({ 'a.txt': 'x' });
    const context = createContext(folder);
    context.call.abortController.abort(new Error('stop'));
    await expect(run(ReadTool, { file_path: 'a.txt' }, context)).rejects.toThrow('stop');
  });
});
