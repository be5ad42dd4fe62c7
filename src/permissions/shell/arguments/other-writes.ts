import type { FileArgument } from './file-arguments.js';
import type { ShellWord } from '../words/shell-token.js';
import { baseName } from '../words/wrappers.js';

/** Programs that write files, and whose other arguments are not understood. */
const OTHER_WRITERS = new Set('tee truncate sponge shred unlink install ln rsync dd'.split(' '));
/** Programs that change their operands, and put nothing in their place. */
const CHANGERS = new Set('chmod chown chgrp setfacl chattr patch ed ex perl ruby'.split(' '));
/** Programs among them that change their operands only with `-i`. */
const IN_PLACE = new Set(['perl', 'ruby']);

export function writesOtherwise(program: ShellWord | undefined): boolean {
  const name = baseName(program?.text ?? '');
  return OTHER_WRITERS.has(name) || CHANGERS.has(name);
}

/** Programs among them that link or copy all operands but the last. */
const TRANSFERS = new Set(['ln', 'install', 'rsync']);

/** Words that may name a file that such a program writes, or copies from. */
export function otherWrites([program, ...rest]: readonly ShellWord[]): readonly FileArgument[] {
  const name = baseName(program?.text ?? '');
  const marks = { isOverwritten: true } as const;
  const toWrite = (word: ShellWord): FileArgument => ({ word, access: 'write', marks });
  if (name === 'dd') {
    const files = rest.filter(({ text }) => text.startsWith('of='));
    return files.map((word) => toWrite({ ...word, text: word.text.slice(3) }));
  }
  if (IN_PLACE.has(name) && !rest.some(({ text }) => /^-[a-z0-9]*i/.test(text))) return [];
  const operands = rest.filter(({ text }) => !text.startsWith('-')).map(toWrite);
  if (CHANGERS.has(name)) return operands.map((file) => ({ ...file, marks: {} }));
  const isIntoFolder = rest.some(({ text }) => /^-(?:[A-Za-z]*t|-t)/.test(text));
  if (!TRANSFERS.has(name) || isIntoFolder) return operands;
  const sources = operands.slice(0, Math.max(1, operands.length - 1));
  return operands.map((file) =>
    sources.includes(file) ? { ...file, marks: { ...marks, isSource: true } } : file,
  );
}
