import { z } from 'zod';

/** Settings about instructions and notes. */
export type MemorySettings = {
  /** Instructions of a manager; in managed settings only. */
  readonly claudeMd?: string | undefined;
  /** Patterns of absolute paths of instructions that are left out. */
  readonly claudeMdExcludes?: readonly string[] | undefined;
  /** False: the notes of earlier sessions about the project are no instructions. */
  readonly autoMemoryEnabled?: boolean | undefined;
  /** Folder of the notes of earlier sessions: an absolute path, or one that begins with `~/`. */
  readonly autoMemoryDirectory?: string | undefined;
  /** True: sessions at a terminal consolidate the notes about the project by themselves. */
  readonly autoDreamEnabled?: boolean | undefined;
};

export const forMemory = () => ({
  claudeMdExcludes: z
    .array(z.string().min(1))
    .optional()
    .describe('Patterns of absolute paths: instructions that are left out, except managed ones.'),
  autoMemoryEnabled: z
    .boolean()
    .optional()
    .describe('False: the notes of earlier sessions about the project are no instructions.'),
  autoMemoryDirectory: z
    .string()
    .regex(/^~?\//, 'must be an absolute path, or begin with ~/')
    .optional()
    .describe('The folder of the notes of earlier sessions: an absolute path, or below `~/`.'),
  autoDreamEnabled: z
    .boolean()
    .optional()
    .describe('True: sessions at a terminal consolidate the notes by themselves.'),
});
