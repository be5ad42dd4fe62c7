import { join, relative } from 'node:path';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import type { SearchStart } from './search-folder.js';

/** Excludes files from a search that the rules deny to read, and counts them. */
export interface ReadFilter {
  /** Decide on a file by the name that the search found. */
  allows(path: string): boolean;
  readonly leftOut: number;
}

/** Decide by the name under which a file is found and by its real one: a search follows no link except the first. */
export function createReadFilter(
  { mayRead }: Pick<ToolUseFiles, 'mayRead'>,
  { folder, file, real }: SearchStart,
): ReadFilter {
  if (mayRead === undefined) return { allows: () => true, leftOut: 0 };
  const start = file === undefined ? folder : join(folder, file);
  const leftOut = new Set<string>();
  let newest = ''; // the lines of a file come together
  let isAllowed = true;
  return {
    allows(path) {
      if (path === newest) return isAllowed;
      newest = path;
      isAllowed = mayRead(path) && (real === start || mayRead(join(real, relative(start, path))));
      if (!isAllowed) leftOut.add(path);
      return isAllowed;
    },
    get leftOut() {
      return leftOut.size;
    },
  };
}

/** A note for the model; undefined if no file was left out. */
export function noteLeftOut(count = 0): string | undefined {
  if (count === 0) return undefined;
  const files = count === 1 ? '1 file was' : `${count} files were`;
  return `[${files} left out: a permission rule denies or asks for reading ${count === 1 ? 'it' : 'them'}.]`;
}
