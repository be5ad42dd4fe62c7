import type { Place } from '../../paths/path-fact.js';
import type { FoundCommand } from '../words/segments.js';
import { fillKnownVariables, toPathFact } from './shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';

/** Commands that change the working directory. */
export const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

export function isMove({ words, start }: FoundCommand): boolean {
  return MOVES.has(words[start]?.text ?? '');
}

type Moves = {
  /** The directories that commands may run in, as far as the moves among them are understood. */
  readonly directories: readonly string[];
  /** A move leads to a directory that is only known at run time. */
  readonly areUnknown: boolean;
};

/** Most directories that are kept apart. */
const MAX_DIRECTORIES = 64;

/** Collect the directories that moves lead to, each move from every directory before it. */
export function movesOf(
  moves: readonly FoundCommand[],
  from: readonly string[],
  place: Place,
): Moves {
  const directories = new Set(from);
  let areUnknown = false;
  for (const move of moves) {
    const target = targetOf(move, place);
    if (target === undefined || directories.size > MAX_DIRECTORIES) areUnknown = true;
    else {
      const behind = [...directories].map((one) => toPathFact(target, 'read', one, place.home));
      for (const { lexical } of behind) directories.add(lexical);
    }
  }
  return { directories: [...directories], areUnknown };
}

type Target = Pick<ShellWord, 'text' | 'isTilde'>;

function targetOf({ words, start }: FoundCommand, place: Place): Target | undefined {
  const rest = words.slice(start + 1);
  const end = rest.findIndex(({ text }) => !/^-[LPe@n]+$/.test(text));
  const operands = end < 0 ? [] : rest.slice(rest[end]?.text === '--' ? end + 1 : end);
  const [target] = operands;
  if (target === undefined)
    return words[start]?.text === 'cd' ? { text: '~', isTilde: true } : undefined;
  const filled = fillKnownVariables(target, place);
  const isOpen = (filled.isDynamic && /[$`{]/.test(filled.text)) || filled.isGlob;
  return isOpen || /^[-+]\d*$/.test(filled.text) ? undefined : filled;
}
