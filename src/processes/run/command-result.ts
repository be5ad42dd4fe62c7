import { z } from 'zod';

/** Size limit of the output file of a command. */
export const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How a shell command ended: the result of a `local_bash` task. Times in epoch ms. */
export const CommandResult = z.lazy(() =>
  z.object({
    /** Null if a signal ended the shell, or the shell never started. */
    exitCode: z.int().nullable(),
    /** Signal such as `SIGTERM` that ended the shell; null if the shell exited. */
    signal: z.string().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    /** The command was ended because its timeout was over. */
    isTimedOut: z.boolean(),
    /** The command was ended on request. */
    isAborted: z.boolean(),
    /** The middle of stdout or stderr is left out; the output file has it. */
    isTruncated: z.boolean(),
    durationMs: z.number(),
    /** Folder of the shell at its end, without symbolic links; the start folder, if the end folder is unknown. */
    cwd: z.string(),
    /** The folder of the shell at its end does not exist any more: `cwd` is the start folder. */
    isCwdGone: z.literal(true).optional(),
    startedAt: z.number(),
    endedAt: z.number(),
    /** Bytes of the whole output, stdout and stderr. */
    outputBytes: z.number(),
  }),
);
export type CommandResult = Readonly<z.infer<typeof CommandResult>>;
