import { z } from 'zod';
import type { ToolResultBlock } from '../../core/messages.js';

/** What Bash returns. In the background only `bash_id`, `wasMoved` and `output_file` are there. */
export const BashOutput = z.object({
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  /** Absent where a signal ended it. */
  exitCode: z.int().optional(),
  signal: z.string().optional(),
  /** Milliseconds after which it was ended. */
  timedOutAfter: z.number().optional(),
  isInterrupted: z.boolean().optional(),
  /** Milliseconds. */
  duration: z.number().optional(),
  /** Where the next command starts. */
  cwd: z.string().optional(),
  /** Why the next command does not start where this one ended. */
  cwdNote: z.string().optional(),
  bash_id: z.string().optional(),
  /** It had begun in the foreground. */
  wasMoved: z.boolean().optional(),
  /** All that it wrote, absolute path. */
  output_file: z.string(),
  /** The middle of stdout or stderr is left out. */
  isTruncated: z.boolean().optional(),
  isError: z.boolean(),
});
export type BashOutput = Readonly<z.infer<typeof BashOutput>>;

/** What the model is told: stdout, then stderr, then how it ended where that was not well. */
export function toBashResultBlock(output: BashOutput, toolUseId: string): ToolResultBlock {
  const content = output.bash_id === undefined ? describeEnd(output) : describeStart(output);
  const block = { type: 'tool_result', tool_use_id: toolUseId, content } as const;
  return output.isError ? { ...block, is_error: true } : block;
}

function describeStart({ bash_id, wasMoved, output_file }: BashOutput): string {
  if (wasMoved === true) {
    return `The command was moved to the background as ${bash_id}, without a timeout. Its output is in ${output_file}. A notification follows when it ends.`;
  }
  return `The command runs in the background as ${bash_id}. Its output is in ${output_file}.`;
}

function describeEnd(output: BashOutput): string {
  const texts = [output.stdout ?? '', output.stderr ?? ''].map((text) => text.replace(/\n+$/, ''));
  const ending = describeEnding(output);
  const notes = [ending, output.cwdNote];
  const parts = [...texts, ...notes].filter((part) => part !== undefined && part !== '');
  if (texts.every((text) => text === '') && ending === undefined) parts.unshift('(no output)');
  return parts.join('\n');
}

function describeEnding(output: BashOutput): string | undefined {
  if (output.timedOutAfter !== undefined) {
    return `The command timed out after ${output.timedOutAfter} ms and was ended.`;
  }
  if (output.isInterrupted === true) return 'The command was interrupted.';
  if (output.signal !== undefined) return `The command was ended by ${output.signal}.`;
  return output.exitCode === 0 ? undefined : `Exit code ${output.exitCode}`;
}
