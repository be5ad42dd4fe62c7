import { z } from 'zod';

const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();

/** A tool is about to change a file. Its earlier content is in the folder `files`, if it is kept. */
export const FileEntry = z.lazy(() =>
  z.object({
    type: z.literal('file.changing'),
    path: z.string(),
    /** SHA-256 of the content before; null: there was no file. */
    before: digest,
    /** SHA-256 of the new content; null: the file is removed. */
    after: digest,
    isKept: z.boolean(),
    timestamp: z.number(),
  }),
);
export type FileEntry = z.infer<typeof FileEntry>;
