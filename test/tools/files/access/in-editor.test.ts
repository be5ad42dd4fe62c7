import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type {
  EditorFiles,
  EditorOptions,
} from '../../../../src/tools/capabilities/editor-files.js';
import { EditTool } from '../../../../src/tools/files/edit.js';
import { MultiEditTool } from '../../../../src/tools/files/multi-edit.js';
import { ReadTool } from '../../../../src/tools/files/read.js';
import { WriteTool } from '../../../../src/tools/files/write.js';
import { createContext } from '../../../support/tool-context.js';
import { createWorkspace, run, runText } from '../workspace.js';

/** A folder with files, and an editor that holds texts of some of them and saves what it is given. */
async function setUp(files: Record<string, string>, unsaved: Record<string, string> = {}) {
  const { folder, at, text } = await createWorkspace(files);
  const buffers = new Map(Object.entries({ ...files, ...unsaved }).map(([n, t]) => [at(n), t]));
  const log: string[] = [];
  const editor: EditorFiles = {
    readText(path) {
      const found = buffers.get(path);
      return found === undefined ? Promise.reject(new Error('not open')) : Promise.resolve(found);
    },
    async writeText(path, content) {
      if (path.endsWith('locked.txt')) throw new Error('read-only buffer');
      log.push(path);
      buffers.set(path, content);
      await writeFile(path, content);
    },
  };
  return { at, text, buffers, log, context: createContext(folder, { files: { editor } }) };
}

describe('files of an editor', () => {
  it('are read with the changes that are not saved', async () => {
    const { context } = await setUp({ 'a.txt': 'saved\n' }, { 'a.txt': 'not saved\nyet\n' });
    expect(await runText(ReadTool, { file_path: 'a.txt' }, context)).toBe(
      '     1\tnot saved\n     2\tyet',
    );
  });

  it('are changed through the editor, from the text that it shows', async () => {
    const { context, text, log, at } = await setUp(
      { 'a.txt': 'old\n' },
      { 'a.txt': 'old\nmore\n' },
    );
    await run(ReadTool, { file_path: 'a.txt' }, context);
    await run(EditTool, { file_path: 'a.txt', old_string: 'more', new_string: 'less' }, context);
    await run(WriteTool, { file_path: 'new/b.txt', content: 'b' }, context);
    expect([await text('a.txt'), await text('new/b.txt')]).toEqual(['old\nless\n', 'b']);
    expect(log).toEqual([at('a.txt'), at('new/b.txt')]);
  });

  it('must be read before they are changed, and again after the person has typed', async () => {
    const { context, text, buffers, at } = await setUp({ 'a.txt': 'one\n' });
    const edit = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
    await expect(run(EditTool, edit, context)).rejects.toThrow('you have not read it');
    await run(ReadTool, { file_path: 'a.txt' }, context);
    buffers.set(at('a.txt'), 'one\ntyped\n');
    await expect(run(EditTool, edit, context)).rejects.toThrow('has changed since you read it');
    expect(await text('a.txt')).toBe('one\n');
  });

  it('stay as they are if the person types during the change', async () => {
    const { context, text, buffers, at } = await setUp({ 'a.txt': 'one\n' });
    await run(ReadTool, { file_path: 'a.txt' }, context);
    const editor = context.files.editor as EditorFiles;
    let reads = 0;
    const typing = {
      ...editor,
      readText(path: string, options: EditorOptions) {
        reads += 1;
        if (reads === 2) buffers.set(at('a.txt'), 'one typed\n');
        return editor.readText(path, options);
      },
    };
    const busy = { ...context, files: { ...context.files, editor: typing } };
    const edit = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
    await expect(run(EditTool, edit, busy)).rejects.toThrow('has changed since you read it');
    expect([await text('a.txt'), buffers.get(at('a.txt'))]).toEqual(['one\n', 'one typed\n']);
  });

  it('keep their line endings, and a file that differs only in them counts as saved', async () => {
    const { context, text } = await setUp({ 'a.txt': 'a\r\nb\r\n' }, { 'a.txt': 'a\nb\n' });
    await run(ReadTool, { file_path: 'a.txt' }, context);
    await run(EditTool, { file_path: 'a.txt', old_string: 'b', new_string: 'c' }, context);
    expect(await text('a.txt')).toBe('a\r\nc\r\n');
  });

  it('are on disk if the editor does not have them', async () => {
    const { context, text, buffers, log, at } = await setUp({ 'a.txt': 'one\n' });
    buffers.delete(at('a.txt'));
    await run(ReadTool, { file_path: 'a.txt' }, context);
    await run(WriteTool, { file_path: 'a.txt', content: 'two\n' }, context);
    expect([await text('a.txt'), log]).toEqual(['two\n', []]);
  });

  it('are all changed or none', async () => {
    const { context, text } = await setUp({ 'a.txt': 'a\n', 'locked.txt': 'b\n' });
    for (const file_path of ['a.txt', 'locked.txt']) await run(ReadTool, { file_path }, context);
    const edits = [
      { file_path: 'a.txt', old_string: 'a', new_string: 'x' },
      { file_path: 'locked.txt', old_string: 'b', new_string: 'y' },
    ];
    await expect(run(MultiEditTool, { edits }, context)).rejects.toThrow(/read-only buffer/);
    expect([await text('a.txt'), await text('locked.txt')]).toEqual(['a\n', 'b\n']);
  });
});
