import { readFile, realpath, stat } from 'node:fs/promises';

/** Whose instructions they are: the user's for all projects, the project's, or the user's for this one. */
export type MemoryType = 'User' | 'Project' | 'Local';

/** One file of instructions, as it was when the session began. */
export type MemoryFileInfo = {
  readonly path: string;
  readonly type: MemoryType;
  /** What the model is told. */
  readonly content: string;
  /** The file that imports it. */
  readonly parent?: string;
  /** The files that a rule is about; a rule without them is about all. */
  readonly globs?: readonly string[];
  /** It was cut, or its frontmatter is left out. */
  readonly contentDiffersFromDisk: boolean;
  readonly rawContent: string;
};

type MemoryText =
  | { readonly status: 'read'; readonly path: string; readonly text: string }
  | { readonly status: 'missing' }
  | { readonly status: 'unusable'; readonly why: string };

const MAX_BYTES = 1_000_000;

/** Reads a text file. `path` of the answer is the file's own, behind all links. */
export async function readMemoryText(path: string): Promise<MemoryText> {
  try {
    const real = await realpath(path);
    const stats = await stat(real);
    if (!stats.isFile()) return { status: 'missing' };
    if (stats.size > MAX_BYTES)
      return { status: 'unusable', why: `it has more than ${MAX_BYTES / 1_000_000} MB` };
    const text = (await readFile(real, 'utf8')).replace(/^\uFEFF/, '');
    if (text.includes('\0')) return { status: 'unusable', why: 'it is no text' };
    return { status: 'read', path: real, text };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the file system
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' };
    return { status: 'unusable', why: error instanceof Error ? error.message : String(error) };
  }
}
