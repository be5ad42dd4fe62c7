/** One path that a use of a tool touches. Two spellings of it are judged; they differ where links are on the way. */
export type PathFact = PathMarks & {
  /** Absolute, as given: `..` not yet taken out. */
  readonly given: string;
  /** `.`, `..` and doubled slashes taken out, links not followed. */
  readonly lexical: string;
  /** With every link followed; absent where that is impossible (a loop, no right to look, a NUL). */
  readonly resolved?: string;
  readonly access: 'read' | 'write';
  /** It is overwritten, and a file there has a second name (a hard link), which nobody sees: that may be a protected one. */
  readonly hasOtherNames?: true;
};

/** What a shell command does with a path besides reading or writing it. */
export type PathMarks = {
  /** Its wildcards are filled in by a shell: it stands for every file that they match. */
  readonly isGlob?: true;
  /** Where it is a directory, what is below it is read as well; links below it are not followed. */
  readonly isTree?: true;
  /** Where it is a directory, links below it are followed. */
  readonly followsLinks?: true;
  /** It is touched only where what it stands in is a directory. */
  readonly isInTarget?: true;
  /** The wildcard, absolute, whose matches it is named after. */
  readonly namedAfter?: string;
  /** Where it is a directory, what is below it is copied, or copied over. */
  readonly isCopied?: true;
  /** It is moved elsewhere, and what is below it with it. */
  readonly isMoved?: true;
  /** A link to it is made, or a copy of it, by a program of which no more is known: rules for `Edit` are not for it. */
  readonly isSource?: true;
  /** A file that is there keeps its place on the disk and gets a new content, under all of its names. */
  readonly isOverwritten?: true;
  /** What an earlier command of the same line may have put here, or above it. */
  readonly comesFrom?: readonly string[];
  /** An earlier command of the same line may make it lead anywhere. */
  readonly isStale?: true;
};

/** Where a use of a tool happens. All paths absolute and normalised. */
export type Place = {
  readonly cwd: string;
  /** Where `cwd` began: the workspace, and the root that rules are written from. */
  readonly projectRoot: string;
  readonly home: string;
  /** Where those above work, if that is elsewhere: rules that deny or ask are written from there too. */
  readonly outerRoots?: readonly string[] | undefined;
  /** What the tools and tasks of the session have put out: the agents of the session may read it. */
  readonly outputFolder?: string | undefined;
  /** Of the directories that rules and the workspace are anchored at: the ones whose real path is another. */
  readonly realPaths: { readonly [path: string]: string };
  /** The file system takes `.GIT` for `.git`. */
  readonly isCaseInsensitive?: true;
};

/** A directory under both of its names. */
export function spellingsOf(directory: string, place: Place): readonly string[] {
  const real = Object.hasOwn(place.realPaths, directory) ? place.realPaths[directory] : undefined;
  return real === undefined || real === directory ? [directory] : [directory, real];
}
