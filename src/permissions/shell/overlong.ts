import { PROTECTED_NAMES } from '../paths/protected.js';
import { unquoted } from './words/ansi-c.js';
import { withoutContinuations } from './words/continuation.js';
import { holdsHidden, preCheck } from './tokens/pre-check.js';
import type { ShellAnalysis } from './effects/shell-analysis.js';

const EXPANSION = /\$(?:\w+|\{[^{}]*\}|\([^()]*\)|[@*])|`[^`]*`/g;

/**
 * Analyse a command line that is too long to parse: its text in a few spellings. The time is linear in its length.
 * Rules are searched for as text, so they match too much rather than too little.
 */
export function analyseOverlong(command: string): ShellAnalysis {
  const joined = withoutContinuations(command);
  const texts = [command, unquoted(joined), unquoted(joined.replace(EXPANSION, ''))].map((text) =>
    text.replace(/[ \t]+/g, ' '),
  );
  const removal = texts.some(mayRemoveTooMuch);
  const names = [...PROTECTED_NAMES.directories, ...PROTECTED_NAMES.files];
  const isOpaque = holdsHidden(command) || names.some((name) => holds(texts, name));
  return {
    command,
    problem: preCheck(command) ?? 'it is too long',
    overlongTexts: texts,
    commands: [],
    denyTexts: [],
    paths: [],
    otherPaths: [],
    hasUnseenPaths: true,
    readsHistory: true,
    ...(isOpaque ? { isOpaque } : {}),
    ...(removal ? { criticalRemoval: 'rm' } : {}),
  };
}

/** Whether a rule may match a text that was not parsed: the plain beginning of a command, a name in a path. */
export function mayName(
  content: string,
  texts: readonly string[],
  kind: 'command' | 'path',
): boolean {
  const plain = content.replace(/:\*$/, '').split(/[*?[]/);
  const name =
    kind === 'command'
      ? (plain[0] ?? '').trim()
      : (plain.flatMap((piece) => piece.split('/')).findLast((piece) => piece !== '') ?? '');
  return (name !== '' || kind === 'command') && holds(texts, name.replace(/\s+/g, ' '));
}

function holds(texts: readonly string[], name: string): boolean {
  return texts.some((text) => text.includes(name));
}

/** A removal, with an argument that is not a plain name. */
function mayRemoveTooMuch(text: string): boolean {
  return text
    .split(/[\n;|&]/)
    .some((line) => /(?<![\w-])rm(?:dir)?(?![\w-])/.test(line) && /\s[~.*$/{`]/.test(line));
}
