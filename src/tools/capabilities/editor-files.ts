/**
 * The files of an editor: tools read text with the changes that are not saved, and write through the editor. Only UTF-8
 * text of regular files; everything else is on disk. The rules, the approval of each path and the check that a file was read
 * and has not changed hold as on disk.
 */
export type EditorFiles = {
  /** Return the present text of a file, by absolute path. A rejection means that the editor does not have the file. */
  readonly readText: (path: string, options: EditorOptions) => Promise<string>;
  /** Replace the text of a file, or make it. Resolves when the text is stored. */
  readonly writeText: (path: string, text: string) => Promise<void>;
};

/** The rest of what a function of an editor gets. */
export type EditorOptions = {
  /** Aborts when the text is not needed any more. */
  readonly signal: AbortSignal;
};
