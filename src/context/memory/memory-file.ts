/** Whose instructions they are: the user's for all projects, the project's, or the user's for this one. */
export type MemoryType = 'User' | 'Project' | 'Local';

/** One file of instructions, as it was when the session began. */
export type MemoryFileInfo = {
  /** Absolute path of the file. */
  readonly path: string;
  /** Whose instructions these are. */
  readonly type: MemoryType;
  /** What the model is told. */
  readonly content: string;
  /** The file that imports it. */
  readonly parent?: string;
  /** The files that a rule is about; a rule without them is about all. */
  readonly globs?: readonly string[];
  /** It was cut, or its frontmatter is left out. */
  readonly contentDiffersFromDisk: boolean;
  /** Text of the file, unchanged. */
  readonly rawContent: string;
};
