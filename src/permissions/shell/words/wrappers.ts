import { mayVanish } from './may-vanish.js';
import type { ShellWord } from './shell-token.js';

/**
 * Programs that run the command behind them without changes. Rules that allow look through few of them, in their plain
 * forms only; rules that deny or ask look through more, with any options.
 */

const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

/** Wrappers that also change how the command runs: only a rule without `*` may allow them. */
export const EXEC_WRAPPERS: ReadonlySet<string> = new Set(['watch', 'setsid', 'ionice', 'flock']);

/**
 * The index of the command behind a wrapper at `start` that a rule that allows may look through; undefined without such
 * a wrapper.
 */
export function behindPlainWrapper(words: readonly ShellWord[], start: number): number | undefined {
  const behind = start + plainWrapperLength(words, start);
  return behind > start && behind < words.length ? behind : undefined;
}

function plainWrapperLength(words: readonly ShellWord[], start: number): number {
  const first = words[start + 1]?.text;
  const second = words[start + 2]?.text;
  switch (words[start]?.text) {
    case 'timeout':
      return first !== undefined && DURATION.test(first) ? 2 : 0;
    case 'nice':
      if (first === '-n') return second !== undefined && /^-?\d+$/.test(second) ? 3 : 0;
      return isPlain(first) ? 1 : 0;
    case 'stdbuf':
      return first !== undefined && /^-[ioe](?:L|\d+[KMG]?)$/.test(first) ? 2 : 0;
    case 'time':
    case 'nohup':
    case 'command':
    case 'builtin':
    case 'xargs':
      return isPlain(first) ? 1 : 0;
    default:
      return 0;
  }
}

function isPlain(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith('-');
}

/** Rules that deny or ask look through these. */
export const GENEROUS: ReadonlySet<string> = new Set(
  [
    'timeout time nice nohup stdbuf command builtin exec eval xargs env sudo doas pkexec runuser watch setsid ionice chrt',
    'taskset flock chroot setarch linux32 linux64 setpriv prlimit unshare nsenter strace ltrace parallel busybox toybox',
  ].flatMap((line) => line.split(' ')),
);

/** The wrappers whose first operand is their own: a time, a file, a folder. */
const WITH_OPERAND: ReadonlySet<string> = new Set(
  'timeout chrt taskset flock chroot setarch'.split(' '),
);

/**
 * Every index at which the command behind the word at `start` may begin, if that word is a wrapper. The options with a
 * value are not all known, so the command may begin at each word behind the options.
 */
export function possibleWrapped(words: readonly ShellWord[], start: number): readonly number[] {
  const name = programOf(words[start]);
  if (!GENEROUS.has(name)) return [];
  if (name === 'command' && /^-[a-z]*[vV]/.test(words[start + 1]?.text ?? '')) return []; // only describes the command
  const starts: number[] = [];
  let operands = WITH_OPERAND.has(name) ? 1 : 0;
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index]!; // `start` is an index of these words
    const { text, bare = text } = word;
    const isOption = text.startsWith('-') || bare.includes('=');
    // `"$@="` and `{a=b,c}` may be several words
    const maySplit = word.isDynamic && !/^[^$`"{]*[-=]/.test(word.raw);
    if (isOption && !maySplit) continue;
    starts.push(index);
    if (isOption) continue;
    const before = words[index - 1]?.text ?? '';
    // the word may be the value of that option, or nothing
    if (before.startsWith('-') || mayVanish(word)) continue;
    if (operands === 0) break;
    operands--;
  }
  return starts;
}

/** Whether a value within an option or assignment of a wrapper may become several words: `env a=$x`. */
export function mayOptionsSplit(words: readonly ShellWord[], start: number): boolean {
  if (!GENEROUS.has(programOf(words[start]))) return false;
  let mayBeValue = false;
  for (let index = start + 1; index < words.length; index++) {
    const { text, bare = text, isDynamic, parameters } = words[index]!; // an index of these words
    const isOption = text.startsWith('-') || bare.includes('=');
    if (!isOption && !mayBeValue) return false;
    if (isDynamic && parameters?.maySplit !== false) return true;
    mayBeValue = text.startsWith('-');
  }
  return false;
}

const FIND_ACTION = /^-(?:exec|execdir|ok|okdir)$/;

/** The first words of the commands that a `find` runs. */
export function commandsOfFind(words: readonly ShellWord[], start: number): readonly number[] {
  if (programOf(words[start]) !== 'find') return [];
  return words.flatMap(({ text }, index) =>
    index > start && FIND_ACTION.test(text) ? [index + 1] : [],
  );
}

/** The name of the program that a word starts, with nothing for each expansion. */
export function programOf(word: ShellWord | undefined): string {
  return baseName(word?.bare ?? word?.text ?? '');
}

/** `/usr/bin/rm` is `rm`. */
export function baseName(path: string): string {
  return path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : path;
}
