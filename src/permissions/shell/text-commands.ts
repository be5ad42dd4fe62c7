import { assignedVariable } from './segments.js';
import type { ShellWord } from './shell-token.js';
import { substitutionsIn } from './substitutions.js';
import { possibleWrapped, programOf } from './wrappers.js';

/** Take a command line as the value of `-c`. */
const SHELLS: ReadonlySet<string> = new Set(
  'bash sh dash ash zsh ksh su runuser script flock'.split(' '),
);
/** Join their arguments to a command line, behind options of their own. */
const JOINERS: ReadonlySet<string> = new Set(['eval', 'watch', 'parallel']);
/** Evaluate substitutions in their arguments, also in quoted ones: as subscripts, as arithmetic. */
const EVALUATORS: ReadonlySet<string> = new Set(
  'let test [ [[ declare typeset local export readonly unset read printf mapfile readarray wait getopts'.split(
    ' ',
  ),
);
const FIND_ACTION = /^-(?:exec|execdir|ok|okdir)$/;

/** Where the commands begin that `find` is told to run. */
export function commandsOfFind(words: readonly ShellWord[], start: number): readonly number[] {
  if (programOf(words[start]) !== 'find') return [];
  return words.flatMap(({ text }, index) =>
    index > start && FIND_ACTION.test(text) ? [index + 1] : [],
  );
}

/**
 * The command lines that a command is given as text and runs, for rules that deny or ask: `eval TEXT`, `sh -c TEXT`,
 * `trap TEXT EXIT`, `alias x=TEXT`, and substitutions in quotes that are evaluated all the same.
 */
export function textsRunBy(words: readonly ShellWord[], start: number): readonly string[] {
  const name = programOf(words[start]);
  const rest = (): readonly string[] => words.slice(start + 1).map(({ text }) => text);
  if (JOINERS.has(name)) {
    const starts = name === 'eval' ? [start + 1] : possibleWrapped(words, start).slice(0, 3);
    return starts.flatMap((from) => textsOf(words.slice(from)));
  }
  if (SHELLS.has(name))
    return valuesOf(
      rest(),
      /^-[A-Za-z]*c$|^--(?:session-)?command$/,
      /^(?:-c|--(?:session-)?command=)(.+)$/s,
    );
  if (name === 'env') {
    const at = words.findIndex(
      ({ text }, index) => index > start && /^(?:-[^-\s]*S|--s)/.test(text),
    );
    if (at < 0) return [];
    return textsOf(words.slice(at)).map((text) => text.replace(/^(?:-[^-S]*S|--[a-z-]*=?)/, ''));
  }
  if (name === 'trap') return rest();
  if (name === 'alias') return rest().map((text) => text.slice(text.indexOf('=') + 1));
  return EVALUATORS.has(name) ? words.slice(start + 1).flatMap(quotedSubstitutions) : [];
}

/** The substitutions in the quoted values of assignments: what evaluates the variable runs them. */
export function textsAssigned(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap((word) =>
    assignedVariable(word) === undefined ? [] : quotedSubstitutions(word),
  );
}

function quotedSubstitutions({ text, raw }: ShellWord): readonly string[] {
  return text !== raw && /[`]|\$\(/.test(text) ? substitutionsIn(text) : [];
}

/** The words joined as they are, and without their expansions. */
function textsOf(words: readonly ShellWord[]): readonly string[] {
  const texts = ['text', 'bare'] as const;
  const joined = texts.map((key) => words.map((word) => word[key] ?? word.text).join(' '));
  return [...new Set(joined)];
}

/** Of options: the words behind those that match `alone`, and what `attached` finds in a word. */
function valuesOf(words: readonly string[], alone: RegExp, attached: RegExp): readonly string[] {
  return words.flatMap((word, index) => {
    const value = attached.exec(word)?.[1];
    return [
      ...(value === undefined ? [] : [value]),
      ...(index > 0 && alone.test(words[index - 1] ?? '') ? [word] : []),
    ];
  });
}
