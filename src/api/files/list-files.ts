import { runRipgrep } from '../../tools/files/search/ripgrep.js';

/** The most files of a folder that are listed. */
const MOST_FILES = 20_000;

/** Paths of the files below a folder, relative to it; ignored files are left out. */
export async function listFiles(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  await runRipgrep({
    args: ['--files', '--null', '--sort=path'],
    cwd: folder,
    separator: '\0',
    signal,
    onRecord: (name) => {
      files.push(name);
      return files.length < MOST_FILES;
    },
  });
  return files;
}
