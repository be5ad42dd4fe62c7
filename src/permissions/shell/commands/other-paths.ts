import type { Place, ShellPath } from '../../paths/path-fact.js';
import { foldersFrom } from '../arguments/command-folders.js';
import type { FileArgument } from '../arguments/file-arguments.js';
import { fillWords } from '../texts/fill-words.js';
import { configurationOf } from '../arguments/git-configuration.js';
import type { KnownValues } from '../words/known-values.js';
import { mentionedFiles } from '../arguments/mentioned-files.js';
import type { CommandSite } from './read-commands.js';
import type { FoundCommand } from '../words/segments.js';
import { otherWrites, writesOtherwise } from '../arguments/other-writes.js';
import { createPathList } from '../arguments/path-list.js';
import { fillKnownVariables } from '../arguments/shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';

/** Most paths of one command line that its words may name. */
export const MAX_OTHER_PATHS = 24_000;

export type OtherPaths = {
  readonly paths: readonly ShellPath[];
  /** There are no other paths. */
  readonly areAll: boolean;
};

/** The paths that commands may use in an unknown way, each once. */
export function otherPathsOf(
  sites: readonly CommandSite[],
  values: KnownValues,
  place: Place,
): OtherPaths {
  const list = createPathList(place);
  let left = MAX_OTHER_PATHS;
  let leftToFill = MAX_OTHER_PATHS;
  const fill = (word: ShellWord): readonly ShellWord[] => {
    if (!word.isDynamic) return [word];
    const filled = fillWords([word], values, Math.max(0, leftToFill));
    leftToFill = filled.areAll ? leftToFill - filled.words.length : 0;
    return filled.words.map((one) => fillKnownVariables(one, place));
  };
  for (const { commands, directories } of sites) {
    const foldersOf = foldersFrom(directories, values, place);
    for (const [words, starts] of startsOf(commands)) {
      const folders = foldersOf(words);
      if (folders === undefined) left = 0;
      for (const file of left > 0 ? filesOf(words, starts, fill) : []) {
        left -= (folders ?? []).length;
        if (left <= 0) break;
        list.add(file.word, file, folders ?? []);
      }
    }
  }
  return { paths: list.paths(), areAll: left > 0 && leftToFill > 0 };
}

/** The beginnings of the commands in each list of words. One chain of wrappers has thousands of them. */
function startsOf(
  commands: readonly FoundCommand[],
): ReadonlyMap<readonly ShellWord[], readonly number[]> {
  const lists = new Map<readonly ShellWord[], number[]>();
  for (const { words, start } of commands) {
    const starts = lists.get(words);
    if (starts === undefined) lists.set(words, [start]);
    else starts.push(start);
  }
  return lists;
}

function filesOf(
  words: readonly ShellWord[],
  starts: readonly number[],
  fill: (word: ShellWord) => readonly ShellWord[],
): readonly FileArgument[] {
  const writer = starts.find((start) => writesOtherwise(words[start]));
  const written =
    writer === undefined
      ? []
      : otherWrites(words.slice(writer).flatMap(fill)).map((file) =>
          file.word.isGlob ? { ...file, marks: { ...file.marks, isGlob: true as const } } : file,
        );
  const configured = starts.flatMap((start) => configurationOf(words, start));
  return [...written, ...configured, ...mentionedFiles(words, starts, fill)];
}
