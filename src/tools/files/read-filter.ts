import { join, relative } from 'node:path';
import type { ToolUseContext } from '../tool.js';
import type { SearchStart } from './search-folder.js';

/** Keeps from a search what the rules keep from being read, and counts it. */
export interface ReadFilter {
  /** Of a file that was found, as the search names it. */
  allows(path: string): boolean;
  readonly leftOut: number;
}

/** Judges files by the name under which they are found and by the real one: a search follows no link but the first. */
export function createReadFilter(
  { mayRead }: Pick<ToolUseContext, 'mayRead'>,
  { folder, file, real }: SearchStart,
): ReadFilter {
  if (mayRead === undefined) return { allows: () => true, leftOut: 0 };
  const start = file === undefined ? folder : join(folder, file);
  const judged = new Map<string, boolean>();
  let leftOut = 0;
  return {
    allows(path) {
      const known = judged.get(path);
      if (known !== undefined) return known;
      const isAllowed = mayRead(path) && mayRead(join(real, relative(start, path)));
      judged.set(path, isAllowed);
      if (!isAllowed) leftOut += 1;
      return isAllowed;
    },
    get leftOut() {
      return leftOut;
    },
  };
}

/** What the model is told of it; undefined where nothing was left out. */
export function noteLeftOut(count = 0): string | undefined {
  if (count === 0) return undefined;
  const files = count === 1 ? '1 file was' : `${count} files were`;
  return `[${files} left out: a permission rule denies or asks for reading ${count === 1 ? 'it' : 'them'}.]`;
}
