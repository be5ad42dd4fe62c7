import { z } from 'zod';
import type { ToolResultBlock } from '../../core/messages.js';
import type { ToolView } from '../tool-view.js';

/** The result of Bash. In the background it has only `bash_id`, `wasMoved` and `output_file`. */
export const BashOutput = z.lazy(() =>
  z.object({
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    /** Absent if a signal ended it. */
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    /** Milliseconds after which the command was ended. */
    timedOutAfter: z.number().optional(),
    isInterrupted: z.boolean().optional(),
    /** Milliseconds. */
    duration: z.number().optional(),
    /** Whether the command ran in the sandbox; absent in the background. */
    sandboxed: z.boolean().optional(),
    /** The folder of the next command. */
    cwd: z.string().optional(),
    /** Why the next command does not start in the folder where this one ended. */
    cwdNote: z.string().optional(),
    bash_id: z.string().optional(),
    /** The command began in the foreground. */
    wasMoved: z.boolean().optional(),
    /** The file of all output, an absolute path. */
    output_file: z.string(),
    /** The middle of stdout or stderr is left out. */
    isTruncated: z.boolean().optional(),
    isError: z.boolean(),
  }),
);
export type BashOutput = Readonly<z.infer<typeof BashOutput>>;

/** Make the result for the model: stdout, then stderr, then the end of the command if it did not succeed. */
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

/** The output of a command for people. */
export function presentCommand(
  { stdout = '', stderr = '', exitCode }: BashOutput,
  command: string,
): ToolView {
  return {
    kind: 'command',
    command,
    output: [stdout, stderr].filter((text) => text !== '').join('\n'),
    ...(exitCode !== undefined && { exitCode }),
  };
}
