import { sep } from 'node:path';

/** One line of ripgrep's output (with `--null`, `--with-filename` and, for lines, `--line-number`). */
export type GrepRecord = {
  /** Absolute; empty for a message of ripgrep. */
  readonly file: string;
  readonly line?: number;
  readonly content?: string;
  readonly count?: number;
  /** A line shown around a match. */
  readonly isContext?: boolean;
  /** Lines of the same file were left out before this one. */
  readonly isAfterGap?: boolean;
};

export type GrepOutputMode = 'content' | 'files_with_matches' | 'count';

/**
 * Parse output into records, line by line. A separator is remembered until the record after it.
 * @param locate the absolute path of a file that ripgrep names.
 */
export function createRecordParser(
  mode: GrepOutputMode,
  locate: (name: string) => string,
): (text: string) => GrepRecord | undefined {
  let hasGap = false;
  let lastName = '';
  let lastFile = '';
  /** The lines of a file come together: compute each path once. */
  const toAbsolute = (name: string) => {
    if (name !== lastName) {
      lastName = name;
      lastFile = locate(name);
    }
    return lastFile;
  };
  return (text) => {
    if (mode === 'files_with_matches') return { file: toAbsolute(text) };
    if (mode === 'content' && text === '--') {
      hasGap = true;
      return undefined;
    }
    const nul = text.indexOf('\0');
    if (nul < 0) return { file: '', content: text };
    const name = text.slice(0, nul);
    const isSameFile = name === lastName;
    const file = toAbsolute(name);
    if (mode === 'count') return { file, count: Number(text.slice(nul + 1)) };
    let end = nul + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    const isContext = text[end] === '-';
    const isAfterGap = hasGap && isSameFile;
    hasGap = false;
    return {
      file,
      line: Number(text.slice(nul + 1, end)),
      content: text.slice(end + 1, text.endsWith('\r') ? -1 : undefined),
      ...(isContext && { isContext }),
      ...(isAfterGap && { isAfterGap }),
    };
  };
}

/** Sort by path, folder by folder, as ripgrep's own `--sort=path`; the records of a file keep their order. */
export function sortRecords(records: readonly GrepRecord[]): readonly GrepRecord[] {
  const byFile = new Map<string, GrepRecord[]>();
  for (const record of records) {
    const known = byFile.get(record.file);
    if (known === undefined) byFile.set(record.file, [record]);
    else known.push(record);
  }
  return [...byFile]
    .map(([file, group]) => ({ key: file.replaceAll(sep, '\0'), group }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap(({ group }) => group);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
