import type { PathFact, PathMarks, Place, ShellPath } from '../../paths/path-fact.js';
import { runsOf, type Runs } from '../../paths/path-in-folders.js';
import { expandTilde, throughProcess, toPathFact } from './shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';

type Use = Pick<PathFact, 'access'> & { readonly marks: PathMarks };

export type PathList = {
  /** Add the path that a word means to a program in each of the folders. */
  readonly add: (word: ShellWord, use: Use, folders: readonly string[]) => void;
  readonly paths: () => readonly ShellPath[];
};

/** The paths of a command line, each once for each use. */
export function createPathList({ home }: Place): PathList {
  const unique = new Map<string, ShellPath>();
  const known = new Map<readonly string[], Runs>();
  const runsIn = (folders: readonly string[]): Runs => {
    const found = known.get(folders) ?? runsOf(folders, isOrdinary);
    known.set(folders, found);
    return found;
  };
  const ids = new Map<readonly string[], number>();
  const idOf = (folders: readonly string[]): number => {
    const id = ids.get(folders) ?? ids.size;
    ids.set(folders, id);
    return id;
  };
  let last: { readonly marks: PathMarks; readonly name: string } | undefined; // many paths share their marks
  const add: PathList['add'] = (word, { access, marks }, folders) => {
    if (last?.marks !== marks) last = { marks, name: nameOf(marks) };
    const use = `${access} ${last.name}`;
    const name = word.isTilde ? expandTilde(word.text, home) : word.text;
    for (const run of isPlain(name) ? runsIn(folders) : folders) {
      if (typeof run !== 'string') {
        unique.set(`${use} ${idOf(run)} ${name}`, { name, folders: run, access, marks });
        continue;
      }
      const facts = throughProcess(toPathFact(word, access, run, home), run);
      for (const fact of facts) unique.set(`${use} ${fact.given}`, { ...fact, ...marks });
      if (name.startsWith('/') && facts.length === 1) break; // the same from every folder
    }
  };
  return { add, paths: () => [...unique.values()] };
}

function nameOf(marks: PathMarks): string {
  const { onlyNames } = marks;
  return `${Object.keys(marks).join(' ')} ${onlyNames === undefined ? '' : JSON.stringify(onlyNames)}`;
}

/** Whether a plain name means nothing special in a folder. */
function isOrdinary(folder: string): boolean {
  return (
    folder !== '/' &&
    !folder.startsWith('/proc') &&
    folder.length <= LONGEST &&
    !/[*?[]/.test(folder)
  );
}

/** A longer path might not exist for its length alone. */
const LONGEST = 600;

/** Whether a name means a file in the folder or below it. */
function isPlain(name: string): boolean {
  return (
    !name.startsWith('/') &&
    !name.includes('\0') &&
    name.length <= LONGEST &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(name)
  );
}
