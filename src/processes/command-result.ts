import { z } from 'zod';

/** What the output file of a command holds at most. */
export const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How a shell command ended: the result of a `local_bash` task. Times in epoch ms. */
export const CommandResult = z.object({
  /** Null where a signal ended the shell, or it never started. */
  exitCode: z.int().nullable(),
  /** `SIGTERM`, …: what ended the shell, where it did not exit. */
  signal: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  /** It was ended because its time was over. */
  isTimedOut: z.boolean(),
  /** It was ended because somebody asked for it. */
  isAborted: z.boolean(),
  /** The middle of stdout or stderr is left out; the output file has it. */
  isTruncated: z.boolean(),
  durationMs: z.number(),
  /** Where the shell was at its end, without symbolic links; where it started, when that is not known. */
  cwd: z.string(),
  /** The folder in which the shell ended is gone: `cwd` is where it started. */
  isCwdGone: z.literal(true).optional(),
  startedAt: z.number(),
  endedAt: z.number(),
  /** All that it wrote, stdout and stderr. */
  outputBytes: z.number(),
});
export type CommandResult = Readonly<z.infer<typeof CommandResult>>;
