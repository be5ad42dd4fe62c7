/** Longest text to compare. */
const MOST_CHARACTERS = 2_000_000;
/** Longer searches for the smallest difference are given up. */
const TIMEOUT_MS = 500;
const CONTEXT_LINES = 3;

/** A passage of a unified diff. Lines are counted from 1. */
export type DiffHunk = {
  /** The first line in the old text. */
  readonly oldStart: number;
  /** Number of lines in the old text. */
  readonly oldLines: number;
  /** The first line in the new text. */
  readonly newStart: number;
  /** Number of lines in the new text. */
  readonly newLines: number;
  /** Each line after its mark: `-` removed, `+` added, a blank for context, `\` for a note. */
  readonly lines: readonly string[];
};

/**
 * Compare two texts line by line. Line endings count only if nothing else differs. Undefined if the texts are too large or
 * too different to compare.
 */
export async function diffHunks(
  before: string,
  after: string,
): Promise<readonly DiffHunk[] | undefined> {
  if (before.length > MOST_CHARACTERS || after.length > MOST_CHARACTERS) return undefined;
  const { structuredPatch } = await import('diff'); // most sessions start without a change of a file
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const [old, now] = comparable(before, after);
  return structuredPatch('', '', old, now, undefined, undefined, options)?.hunks;
}

function comparable(before: string, after: string): readonly [string, string] {
  const plain = [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')] as const;
  return plain[0] === plain[1] ? [before, after] : plain;
}
