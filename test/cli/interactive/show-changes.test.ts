import { existsSync } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showChanges } from '../../../src/cli/interactive/show-changes.js';
import type { StyledLine } from '../../../src/cli/output/output-writer.js';
import { createFiles } from '../../support/files.js';
import { createRepository, git, GIT_ENV } from '../../support/repository.js';

/** The printed lines with their styles, and the lines that are kept. */
async function changesOf(cwd: string) {
  let printed: string | readonly StyledLine[] = '';
  let kept: readonly StyledLine[] = [];
  const terminal = {
    print: (text: string | readonly StyledLine[]) => void (printed = text),
    keep: (whole: () => readonly StyledLine[]) => void (kept = whole()),
  };
  await showChanges(terminal, { cwd, env: GIT_ENV });
  return { printed, kept };
}

describe('/diff', () => {
  it('prints changed, removed and unknown files, their text spelled out', async () => {
    const cwd = await createRepository({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' });
    await writeFile(join(cwd, 'a.txt'), 'one\n\u001b[2Jtwo\n');
    await rm(join(cwd, 'b.txt'));
    await writeFile(join(cwd, 'new\u202e.txt'), 'new\n');
    const { printed, kept } = await changesOf(cwd);
    expect(printed).toEqual([
      { text: 'a/a.txt b/a.txt', style: 'strong' },
      { text: '  @@ -1,2 +1,2 @@', style: 'dim' },
      { text: '   one' },
      { text: '  -two', style: 'removed' },
      { text: '  +\\u001b[2Jtwo', style: 'added' },
      { text: 'a/b.txt b/b.txt', style: 'strong' },
      { text: '  deleted file mode 100644', style: 'dim' },
      { text: '  @@ -1 +0,0 @@', style: 'dim' },
      { text: '  -b', style: 'removed' },
      { text: 'Files that git does not know:', style: 'strong' },
      { text: '  new\\u202e.txt' },
    ]);
    expect(kept).toEqual(printed);
  });

  it('prints the first lines of a long diff, and keeps all', async () => {
    const cwd = await createRepository({ 'a.txt': '' });
    await appendFile(join(cwd, 'a.txt'), 'line\n'.repeat(100));
    const { printed, kept } = await changesOf(cwd);
    expect(kept).toHaveLength(102);
    expect(printed).toEqual([
      ...kept.slice(0, 60),
      { text: '… 42 more lines, which Ctrl-O prints', style: 'dim' },
    ]);
  });

  it('says that nothing has changed', async () => {
    const cwd = await createRepository({ 'a.txt': 'a' });
    expect((await changesOf(cwd)).printed).toBe('Nothing has changed since the last commit.');
  });

  it('shows the prepared files before the first commit', async () => {
    const cwd = await createFiles({ 'a.txt': 'a\n' });
    git(cwd, 'init', '-q', '-b', 'main');
    git(cwd, 'add', '-A');
    expect((await changesOf(cwd)).printed).toEqual([
      { text: 'a/a.txt b/a.txt', style: 'strong' },
      { text: '  new file mode 100644', style: 'dim' },
      { text: '  @@ -0,0 +1 @@', style: 'dim' },
      { text: '  +a', style: 'added' },
    ]);
  });

  it('refuses a folder without a repository', async () => {
    const cwd = await createFiles({ 'a.txt': 'a' });
    await expect(changesOf(cwd)).rejects.toThrow(
      `${cwd} is in no git repository: there is nothing to compare with.`,
    );
  });

  it('runs no program that the repository names', async () => {
    const cwd = await createRepository({
      'a.txt': 'a\n',
      '.gitattributes': '*.txt diff=x filter=y\n',
    });
    const trap = `touch ${join(cwd, 'ran')}; cat`;
    for (const key of ['diff.x.command', 'diff.x.textconv', 'diff.external', 'filter.y.clean'])
      git(cwd, 'config', key, trap);
    git(cwd, 'config', 'core.fsmonitor', trap);
    await writeFile(join(cwd, 'a.txt'), 'b\n');
    const { printed } = await changesOf(cwd);
    expect(printed).toContainEqual({ text: '  +b', style: 'added' });
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });
});
