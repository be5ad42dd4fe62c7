import { realpath } from 'node:fs/promises';
import { isInside } from '../../files/is-inside.js';
import { openRegularFile } from '../files/access/known-file.js';
import type { LspLocation } from '../capabilities/language-servers.js';
import type { ToolUseFiles } from '../tool-context-groups.js';

/** Files that are read for one answer. */
const MOST_FILES = 100;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_LINE_CHARS = 200;

type LocatedLine = LspLocation & { readonly text?: string };

/** Add the lines of locations: only from files of the project that the rules let the agent read. */
export async function withLines(
  locations: readonly LspLocation[],
  files: Pick<ToolUseFiles, 'projectRoot' | 'mayRead'>,
  signal: AbortSignal,
): Promise<readonly LocatedLine[]> {
  const paths = [...new Set(locations.map(({ path }) => path))].slice(0, MOST_FILES);
  const read = async (path: string) => [path, await linesOf(path, files, signal)] as const;
  const lines = new Map(await Promise.all(paths.map(read)));
  return locations.map((location) => {
    const text = lines.get(location.path)?.[location.line - 1]?.trim().slice(0, MAX_LINE_CHARS);
    return text === undefined || text === '' ? location : { ...location, text };
  });
}

async function linesOf(
  path: string,
  { projectRoot, mayRead = () => true }: Pick<ToolUseFiles, 'projectRoot' | 'mayRead'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const [real, root] = await Promise.all([realpath(path), realpath(projectRoot)]);
    if (!isInside(real, root) || !mayRead(path) || !mayRead(real)) return [];
    const opened = await openRegularFile(real);
    if (opened === undefined) return [];
    try {
      if (opened.stats.size > BigInt(MAX_FILE_BYTES)) return [];
      return (await opened.handle.readFile({ encoding: 'utf8', signal })).split('\n');
    } finally {
      await opened.handle.close();
    }
  } catch {
    signal.throwIfAborted();
    return []; // it is gone, or no file: its place is enough
  }
}
