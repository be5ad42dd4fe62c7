import { programOf } from '../words/wrappers.js';
import type { ShellWord } from '../words/shell-token.js';

/** Programs that run a text of theirs, which is no shell: in an argument, or from their input. */
const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|lua|php)[\d.]*$|^(?:nodejs|deno|bun|tsx|ts-node|awk|gawk|mawk|nawk|sqlite3|tclsh|osascript|Rscript|psql|vi|vim|nvim|ex|ed|emacs|jshell|scala|groovy|guile|ghc|swift|julia)$/;

export function isInterpreter(word: ShellWord | undefined): boolean {
  return INTERPRETER.test(programOf(word));
}

const QUOTED = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`/g;
const WRITTEN_OUT = /(?<![\w/.~-])(?:~|\.{1,2})?\/[\w./~@%+-]+/g;

/**
 * The paths that a program text may name: what it has in quotes, the words of that with a slash or a dot, and everything
 * that begins with a slash.
 */
export function pathsInCode(code: string): readonly string[] {
  const quoted = [...code.matchAll(QUOTED)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const words = quoted.flatMap((text) => [text, ...text.split(/\s+/).filter(isPathLike)]);
  const paths = [...words, ...(code.match(WRITTEN_OUT) ?? [])].map((text) =>
    text.replace(/^[<>+]+\s*/, ''),
  );
  return [...new Set(paths)].filter((text) => text !== '');
}

function isPathLike(text: string): boolean {
  return /[./]/.test(text);
}

/** Whether a word may be a program text and not only a name. */
export function isCode(text: string): boolean {
  return /["'`()\s]/.test(text);
}
