import { opendir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { editDistance } from '../../../core/text/edit-distance.js';
import { FileError } from '../../../files/file-error.js';

const MAX_ENTRIES = 5_000;
const MAX_SUGGESTIONS = 3;

/** Make an error for a missing path. It says which part of the path exists, and suggests similar paths. */
export async function missingFileError(path: string, cwd: string): Promise<FileError> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined)
    return new FileError('missing', path, `${path} is a link to ${target}, which does not exist.`);
  const folder = await nearestFolder(dirname(path));
  const missing = path.slice(folder.length).split(sep).find(Boolean) ?? basename(path);
  const underCwd = join(cwd, path);
  const near = (await nearNames(folder, missing)).map((name) => join(folder, name));
  if (path !== underCwd && (await exists(underCwd))) near.unshift(underCwd);
  const where = folder === dirname(path) ? '' : ` The nearest folder that exists is ${folder}.`;
  const advice =
    near.length === 0
      ? ` The working folder is ${cwd}; find the file with Glob.`
      : ` Did you mean ${near.slice(0, MAX_SUGGESTIONS).join(' or ')}?`;
  return new FileError('missing', path, `${path} does not exist.${where}${advice}`);
}

/** The folder itself if it exists, or the closest one above that does. */
export async function nearestFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (folder === dirname(folder)) return folder;
    try {
      if ((await stat(folder)).isDirectory()) return folder;
    } catch {
      continue; // missing or not visible: continue further up
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Best match first. A folder that cannot be listed gives none. */
async function nearNames(folder: string, name: string): Promise<readonly string[]> {
  const found: { name: string; distance: number }[] = [];
  try {
    let seen = 0;
    for await (const entry of await opendir(folder)) {
      if (++seen > MAX_ENTRIES) break;
      const distance = distanceBetween(name, entry.name);
      if (distance !== undefined) found.push({ name: entry.name, distance });
    }
  } catch {
    return []; // suggestions are optional
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, MAX_SUGGESTIONS).map((one) => one.name);
}

/** Undefined if two names are unrelated. */
function distanceBetween(wanted: string, name: string): number | undefined {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  if (a === b) return 0;
  if (stem(a) === stem(b) || sortedLetters(a) === sortedLetters(b)) return 1;
  const most = Math.min(3, Math.floor(a.length / 3));
  if (Math.abs(a.length - b.length) > most) return undefined;
  const edits = editDistance(a, b);
  return edits <= most ? 1 + edits : undefined;
}

function stem(name: string): string {
  return basename(name, extname(name));
}

/** The result is equal for names that differ in the order of their letters. */
function sortedLetters(name: string): string {
  return [...name].sort().join('');
}
