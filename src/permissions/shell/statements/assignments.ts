// The variables that a command sets for later or parallel programs, and whether setting them needs a person.
import { assignedVariable, countAssignments } from '../words/segments.js';
import type { ShellWord } from '../words/shell-token.js';

/** Names that mean nothing to any program. */
const LOOP_VARIABLE = /^[a-z][a-z0-9]*$/;
const SAFE_VARIABLES = new Set(['NODE_ENV', 'LANG', 'TZ', 'NO_COLOR']);
const DECLARATIONS = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
/** Builtins whose operands are names of variables. */
const READERS = new Set(['read', 'mapfile', 'readarray', 'getopts']);

/** Whether a variable may be set without approval: no program reads it. */
export function isLoopVariable(name: string): boolean {
  return LOOP_VARIABLE.test(name);
}

/** Why a command asks whatever rule allows it: it sets a variable that programs read. */
export function whyAssignmentAsks(
  assignments: readonly ShellWord[],
  command: readonly ShellWord[],
): string | undefined {
  const variables = assignments.map((word) => assignedVariable(word) ?? '');
  const unsafe = variables.find((variable) => !SAFE_VARIABLES.has(variable));
  if (unsafe !== undefined) return `it sets ${unsafe}`;
  if (variables[0] !== undefined && command.length === 0) return `it sets ${variables[0]}`;
  return whyBuiltinAsks(command) ?? whyTimedAsks(command);
}

function whyBuiltinAsks(words: readonly ShellWord[]): string | undefined {
  const name = words[0]?.text ?? '';
  if (DECLARATIONS.has(name)) return `${name} changes what later commands do`;
  const set = variablesSetBy(name, words).find((variable) => !LOOP_VARIABLE.test(variable));
  return set === undefined ? undefined : `it sets ${set}`;
}

/** Finds too many rather than too few: the value of an option may look like a name. */
function variablesSetBy(name: string, words: readonly ShellWord[]): readonly string[] {
  const option = words[1]?.text ?? '';
  if (name === 'printf' && option.startsWith('-v'))
    return [option === '-v' ? (words[2]?.text ?? '') : option.slice(2)];
  if (!READERS.has(name)) return [];
  const texts = words.slice(1).map(({ text }) => text);
  return texts.filter((text) => /^[A-Za-z_]\w*(?:\[|$)/.test(text));
}

/** Rules do not look through the wrapper `time -p`, but assignments and commands may follow it. */
function whyTimedAsks(words: readonly ShellWord[]): string | undefined {
  if (words[0]?.raw !== 'time') return undefined;
  const start = words.findIndex(({ text }, index) => index > 0 && !text.startsWith('-'));
  if (start < 0) return undefined;
  const behind = words.slice(start);
  if (behind[0]?.raw === '!') return '"!" starts more than a plain command';
  const count = countAssignments(behind);
  return whyAssignmentAsks(behind.slice(0, count), behind.slice(count));
}
