import type { PathMarks } from '../../paths/path-fact.js';
import type { ShellWord } from '../words/shell-token.js';
import { baseName } from '../words/wrappers.js';

/** Whether a program takes folders with everything in them. */
export function packsFolders(name: string, texts: readonly string[]): boolean {
  switch (name) {
    case 'tar':
      return texts.some(
        (text, index) =>
          /^-[a-zA-Z]*[cruA]|^--(?:cr|app|up|cat)/.test(text) ||
          (index === 0 && /^[a-zA-Z]*[cruA]/.test(text)),
      );
    case 'zip':
    case 'scp':
      return texts.some((text) => /^-[a-zA-Z]*r/.test(text));
    case 'rsync':
      return texts.some((text) => /^-[a-zA-Z]*[ar]|^--(?:archive|recursive)/.test(text));
    default:
      return ARCHIVERS.has(name);
  }
}

const ARCHIVERS = new Set('7z 7za 7zr rar rclone pax ditto restic borg mksquashfs'.split(' '));

/** Commands of `find -exec` that open none of the files that they get. */
const OPENS_NOTHING =
  /^(?:echo|printf|ls|stat|rm|rmdir|touch|mkdir|chmod|chown|test|basename|dirname|realpath|du|true)$/;

/** A `find` that hands its files to a command reads everything below its folders. */
export function foundMarks(rest: readonly ShellWord[], links: PathMarks): PathMarks {
  const runs = rest.some(
    ({ text }, index) =>
      /^-(?:exec|ok)(?:dir)?$/.test(text) &&
      !OPENS_NOTHING.test(baseName(rest[index + 1]?.text ?? '')),
  );
  if (!runs) return links;
  const isPlain = !rest.some(({ text }) => /^(?:-o|-or|!|-not|,)$/.test(text));
  const name = rest.find((_, index) => rest[index - 1]?.text === '-name')?.text;
  return { ...links, isTree: true, ...(name !== undefined && isPlain ? { onlyNames: name } : {}) };
}
