/** A change of a file. Undefined content: there is no file. */
export type FileChange = {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** The content that the file has. */
  readonly before: Uint8Array | undefined;
  /** The content that the file gets. */
  readonly after: Uint8Array | undefined;
};

/** Earlier versions of the files that Edit, MultiEdit, Write and NotebookEdit change. */
export interface FileHistory {
  /** Keep files as they are, before they change. Rejects if they cannot be kept: then they must not change. */
  keep(changes: readonly FileChange[]): Promise<void>;
}
