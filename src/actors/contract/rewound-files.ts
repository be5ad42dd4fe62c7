/** The files that tools have changed since a message, when a session goes back to before it. */
export type RewoundFiles = {
  /** The files that get their earlier content. */
  readonly restored: readonly {
    /** Absolute. */
    readonly path: string;
    /** The file did not exist: it is deleted. */
    readonly isDeleted: boolean;
    /** Number of lines that it gets. */
    readonly added: number;
    /** Number of lines that it loses. */
    readonly removed: number;
  }[];
  /** The files that stay as they are, with the reason: something else has changed them, or no version is kept. */
  readonly staying: readonly {
    /** Absolute. */
    readonly path: string;
    /** The reason, for people. */
    readonly why: string;
  }[];
};

/** How a session goes back with files. */
export type RewindFilesOptions = {
  /** Change nothing, and resolve with what would change. */
  readonly dryRun?: boolean;
};
