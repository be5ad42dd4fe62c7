/**
 * Source of instructions: a manager's, the user's for all projects, the project's, the user's for this project
 * (`Local`), notes of earlier sessions about this project (`AutoMem`), or notes of their teams (`TeamMem`).
 */
export type MemoryType = 'Managed' | 'User' | 'Project' | 'Local' | 'AutoMem' | 'TeamMem';

/** One file of instructions, as it was when the session began. */
export type MemoryFileInfo = {
  /** Absolute path of the file. */
  readonly path: string;
  /** Source of the instructions. */
  readonly type: MemoryType;
  /** Text for the prompt: without frontmatter, and cut if it is too long. */
  readonly content: string;
  /** The file that imports it. */
  readonly parent?: string;
  /** Patterns of the files that a rule is about; absent for a rule about all files. */
  readonly globs?: readonly string[];
  /** Folder that the patterns start in; that of the session if absent. */
  readonly root?: string;
  /** Whether `content` is cut, or lacks the frontmatter. */
  readonly contentDiffersFromDisk: boolean;
  /** Text of the file, unchanged. */
  readonly rawContent: string;
};
