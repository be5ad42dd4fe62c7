import { mkdir, symlink, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { GlobTool } from '../../../src/tools/files/glob.js';
import { createWorkspace, runText } from './workspace.js';
import { createContext } from '../../support/tool-context.js';

/** A workspace whose files are the older the later they are named, and a search in it. */
async function searchable(names: readonly string[]) {
  const workspace = await createWorkspace(Object.fromEntries(names.map((name) => [name, ''])));
  for (const [age, name] of names.entries()) {
    await utimes(workspace.at(name), 2_000_000 - age, 2_000_000 - age);
  }
  const { folder } = workspace;
  const glob = async (pattern: string, path?: string) => {
    const input = path === undefined ? { pattern } : { pattern, path };
    const text = await runText(GlobTool, input, createContext(folder));
    return text.split('\n').map((line) => line.replaceAll(`${folder}/`, ''));
  };
  return { ...workspace, glob };
}

const NAMES = ['src/b.ts', 'a.ts', 'src/deep/c.tsx', 'a.md', '.hidden/d.ts', 'src/x:y.ts'];

describe('Glob', () => {
  it.each([
    ['**/*.ts', ['src/b.ts', 'a.ts', '.hidden/d.ts', 'src/x:y.ts']],
    ['*.ts', ['a.ts']],
    ['*', ['a.ts', 'a.md']],
    ['**', NAMES],
    ['**/*', NAMES],
    ['src/**', ['src/b.ts', 'src/deep/c.tsx', 'src/x:y.ts']],
    ['src/**/*.{ts,tsx}', ['src/b.ts', 'src/deep/c.tsx', 'src/x:y.ts']],
    ['./src/*.ts', ['src/b.ts', 'src/x:y.ts']],
    ['{src/deep,.hidden}/*', ['src/deep/c.tsx', '.hidden/d.ts']],
    ['*/b.ts', ['src/b.ts']],
    ['**/deep/*.tsx', ['src/deep/c.tsx']],
    ['**/c.tsx', ['src/deep/c.tsx']],
    ['src/x:*', ['src/x:y.ts']],
    ['[ab].md', ['a.md']],
    ['a.md', ['a.md']],
  ])('finds %s, newest first', async (pattern, expected) => {
    const { glob } = await searchable(NAMES);
    expect(await glob(pattern)).toEqual(expected);
  });

  it('leaves out what may not be read, and says so', async () => {
    const { folder } = await searchable(['a.ts', '.env', 'secrets/key']);
    const list = (mayRead: (path: string) => boolean, pattern: string) =>
      runText(
        GlobTool,
        { pattern },
        createContext(folder, { files: { mayRead, globLimits: { maxResults: 1 } } }),
      );
    expect(await list((path) => !/\.env|secrets/.test(path), '**')).toBe(
      `${folder}/a.ts\n[2 files were left out: a permission rule denies or asks for reading them.]`,
    );
    expect(await list((path) => !path.endsWith('/.env'), '.env')).toBe(
      `No files match ".env" in ${folder}.\n[1 file was left out: a permission rule denies or asks for reading it.]`,
    );
  });

  it('searches another folder, given as path or at the start of the pattern', async () => {
    const { at, glob } = await searchable(NAMES);
    expect(await glob('*.ts', 'src')).toEqual(['src/b.ts', 'src/x:y.ts']);
    expect(await glob('../*.md', 'src')).toEqual(['a.md']);
    expect(await glob(at('src/deep/*'))).toEqual(['src/deep/c.tsx']);
  });

  it('asks for the folder that it will search', () => {
    const target = (pattern: string, path?: string) =>
      GlobTool.permissionTarget?.(path === undefined ? { pattern } : { pattern, path });
    const reads = (path: string) => ({
      kind: 'paths',
      paths: [{ path, access: 'read', isTree: true }],
    });
    expect(target('**/*.ts')).toEqual(reads('.'));
    expect(target('../../etc/*', 'src')).toEqual(reads('../etc'));
    expect(target('/etc/ssh/*')).toEqual(reads('/etc/ssh'));
  });

  it('lists 100 files and counts the rest', async () => {
    const { glob } = await searchable(Array.from({ length: 120 }, (_, index) => `f${index}`));
    const lines = await glob('*');
    expect(lines.slice(0, 2)).toEqual(['f0', 'f1']);
    expect(lines.slice(99)).toEqual([
      'f99',
      '[The 100 most recently modified of 120 files. Use a narrower pattern to see others.]',
    ]);
  });

  it('obeys ignore files unless nothing else matches', async () => {
    const { glob, put } = await searchable(['a.js', 'node_modules/b.js', 'dist/c.map']);
    await put('.ignore', 'node_modules\ndist\n');
    expect(await glob('**/*.js')).toEqual(['a.js']);
    expect(await glob('**/*')).toEqual(['.ignore', 'a.js']);
    expect(await glob('dist/*')).toEqual(['dist/c.map']);
    expect(await glob('**/*.map')).toEqual([
      'dist/c.map',
      '[Ignore files such as .gitignore exclude all of these.]',
    ]);
  });

  it('shows nothing of version control, and does not follow links', async () => {
    const { at, glob } = await searchable(['.git/config', 'a', 'src/b']);
    await mkdir(at('links'));
    await symlink('../src', at('links/src'));
    expect(await glob('**/*')).toEqual(['a', 'src/b']);
    expect(await glob('.git/*')).toEqual(['.git/config']);
  });

  it('says that nothing matches', async () => {
    const { folder, glob } = await searchable(['a']);
    expect(await glob('*.nope')).toEqual([`No files match "*.nope" in ${folder}.`]);
  });

  it.each([
    ['a bad pattern', { pattern: '*/[' }, 'The pattern "*/[" cannot be used'],
    ['a way up inside', { pattern: '*/../x' }, '".." is only allowed at the start'],
    ['no file name', { pattern: './' }, 'the pattern names no file'],
    ['a missing folder', { pattern: '*', path: 'nope' }, 'does not exist'],
    ['a file as folder', { pattern: '*', path: 'a' }, 'is a file, not a folder to search'],
  ])('refuses %s', async (_, input, message) => {
    const { folder } = await createWorkspace({ a: '' });
    await expect(runText(GlobTool, input, createContext(folder))).rejects.toThrow(message);
  });

  it.each([
    ['globstars', '**/'.repeat(2_000) + 'x'],
    ['stars', '*a'.repeat(2_000)],
    ['alternatives', '{*,*a}'.repeat(1_000)],
    ['open braces', '{'.repeat(3_000)],
  ])('comes back from thousands of %s', async (_, pattern) => {
    const { folder } = await createWorkspace({ [`${'a'.repeat(200)}b`]: '' });
    const outcome = await runText(GlobTool, { pattern }, createContext(folder)).catch(String);
    expect(outcome).toMatch(/No files match|cannot be used|aab$/);
  });

  it('ends with its signal', async () => {
    const { folder } = await createWorkspace({ a: '' });
    const context = createContext(folder);
    const search = runText(GlobTool, { pattern: '**/*' }, context);
    context.call.abortController.abort(new Error('stop'));
    await expect(search).rejects.toThrow('stop');
  });
});
