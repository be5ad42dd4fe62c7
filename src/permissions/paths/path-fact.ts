/** One path that a tool call touches. Both of its spellings are judged; they differ if links are on the way. */
export type PathFact = PathMarks & {
  /** Absolute, as given, with its `..`. */
  readonly given: string;
  /** Without `.`, `..` and doubled slashes; links not followed. */
  readonly lexical: string;
  /** With every link followed; absent if that is impossible (a loop, no permission to read, a NUL). */
  readonly resolved?: string;
  readonly access: 'read' | 'write';
  /**
   * The call overwrites a file that has a second name (a hard link). Nobody can see that name: it may be a protected
   * file.
   */
  readonly hasOtherNames?: true;
};

/** How a shell command uses a path besides reading or writing it. */
export type PathMarks = {
  /** A shell expands its wildcards: the path stands for every file that they match. */
  readonly isGlob?: true;
  /** If the path is a directory, everything below it is read as well; links below it are not followed. */
  readonly isTree?: true;
  /** Hidden files below the path are left out unless a rule names their folder. */
  readonly skipsHidden?: true;
  /** Only files with such a name are read below the path. */
  readonly onlyNames?: string;
  /** If the path is a directory, links below it are followed. */
  readonly followsLinks?: true;
  /** The path is touched only if its parent is a directory. */
  readonly isInTarget?: true;
  /** The absolute wildcard whose matches give this path its name. */
  readonly namedAfter?: string;
  /** If the path is a directory, everything below it is copied, or copied over. */
  readonly isCopied?: true;
  /** The path is moved, and everything below it with it. */
  readonly isMoved?: true;
  /** A program with unknown effects makes a link to the path, or a copy of it: rules for `Edit` do not cover that. */
  readonly isSource?: true;
  /** An existing file keeps its place on the disk and gets a new content, under all of its names. */
  readonly isOverwritten?: true;
  /** Paths that an earlier command of the same line may have put here, or above. */
  readonly comesFrom?: readonly string[];
  /** An earlier command of the same line may make the path lead anywhere. */
  readonly isStale?: true;
};

/**
 * A relative path that a command may use in several folders: one for each directory that the command may run in. Nothing
 * exists in these folders, and no link leads to them, so the resolved path is the path as written.
 */
export type PathInFolders = {
  /** As given. It holds no `..`. */
  readonly name: string;
  /** Absolute and normalised; the same list for all paths of a command. */
  readonly folders: readonly string[];
  readonly access: PathFact['access'];
  readonly marks: PathMarks;
};

/** A path of a command line. */
export type ShellPath = PathFact | PathInFolders;

/** The folders of a tool call. All paths absolute and normalised. */
export type Place = {
  readonly cwd: string;
  /** The first `cwd`: the workspace, and the root of relative rules. */
  readonly projectRoot: string;
  readonly home: string;
  /** The folders of the agents above, if they differ: rules that deny or ask start there too. */
  readonly outerRoots?: readonly string[] | undefined;
  /** The folder with the output of the session's tools and tasks. Agents of the session may read it. */
  readonly outputFolder?: string | undefined;
  /** The real paths of those rule and workspace directories whose real path is another. */
  readonly realPaths: { readonly [path: string]: string };
  /** The file system takes `.GIT` for `.git`. */
  readonly isCaseInsensitive?: true;
};

/** A directory under both of its names. */
export function spellingsOf(directory: string, place: Place): readonly string[] {
  const real = Object.hasOwn(place.realPaths, directory) ? place.realPaths[directory] : undefined;
  return real === undefined || real === directory ? [directory] : [directory, real];
}
