import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { kindOfEntry } from './kind-of-entry.js';

/**
 * The content of a repository's ignore list with the given files added, so that git inside a sandbox does not show
 * placeholders as new files. Undefined outside a repository, and in one without such a list.
 *
 * @param root a folder in the repository
 */
export function extendedExclude(
  root: string,
  files: readonly string[],
): { readonly path: string; readonly text: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const kind = kindOfEntry(join(folder, '.git'));
    if (kind === 'directory' || kind === 'file') {
      const path = join(commonDirectory(join(folder, '.git')) ?? '', 'info', 'exclude');
      const text = readText(path);
      if (text === undefined) return undefined;
      const lines = files.map((file) => `/${relative(folder, file)}\n`);
      return { path, text: `${text.replace(/\n?$/, '\n')}${lines.join('')}` };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** The folder that all worktrees of a repository share. */
function commonDirectory(dotGit: string): string | undefined {
  if (statSync(dotGit).isDirectory()) return dotGit;
  const directory = /^gitdir: (.*)/.exec(readText(dotGit) ?? '')?.[1];
  if (directory === undefined) return undefined;
  const own = resolve(dirname(dotGit), directory);
  const common = readText(join(own, 'commondir'))?.trimEnd();
  return common === undefined ? own : resolve(own, common);
}

/** Undefined if the file does not exist, or git would not read it. */
function readText(path: string): string | undefined {
  const read = readPlantedFile(path);
  return read.status === 'read' ? read.text : undefined;
}
