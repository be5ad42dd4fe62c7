import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editText } from '../../../../src/cli/terminal/ink/external-editor.js';

describe('the editor of the person', () => {
  it('changes a file that only the person may read, and that is removed afterwards', async ({
    onTestFinished,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'editor-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const seen = join(folder, 'seen');
    const script = join(folder, 'my editor');
    await writeFile(
      script,
      `#!/bin/sh\n{ stat -c '%a %n' "$2"; cat "$2"; } > '${seen}'\nprintf '%s new' "$1" > "$2"\n`,
      { mode: 0o700 },
    );
    expect(await editText(`'${script}' --wait`, 'old', 'input.json')).toBe('--wait new');
    const [first = '', ...text] = (await readFile(seen, 'utf8')).split('\n');
    expect(first).toMatch(/^600 \/.*\/troupe-edit-\w+\/input\.json$/);
    expect(text).toEqual(['old']);
    const left = first.slice('600 '.length, -'/input.json'.length);
    await expect(readdir(left)).rejects.toThrow('ENOENT');
  });

  it('says how an editor failed', async () => {
    await expect(editText('exit 3; :', 'old', 'a')).rejects.toThrow(
      'exit 3; : ended with exit code 3.',
    );
  });
});
