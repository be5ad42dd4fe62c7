import { z } from 'zod';
import { toTaskOutputStatus } from '../../core/text/status-words.js';
import { isTerminalTaskStatus, type TaskOutcome } from '../../core/task-types.js';
import { completeTool } from '../complete-tool.js';
import { filterLines } from '../files/search/filter-lines.js';
import { describeOutcome } from '../tasks/describe-outcome.js';
import { findShell } from './find-shell.js';
import { TaskIdField } from '../tasks/find-task.js';
import { readNewLines, readNewOutput } from './read-new-output.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { ToolInputError } from '../tool-input-error.js';

const MAX_OUTPUT = 30_000;

export const BashOutputInput = z.object({
  bash_id: TaskIdField,
  filter: z
    .string()
    .max(1_000)
    .refine((text) => !text.includes('\0'), 'a filter cannot contain a NUL character')
    .optional()
    .describe('A regular expression, as in Grep: only lines that match are shown'),
});
export type BashOutputInput = z.infer<typeof BashOutputInput>;

export const BashOutputOutput = z.lazy(() =>
  z.object({
    bash_id: z.string(),
    description: z.string(),
    running: z.boolean(),
    /** A killed command counts as failed; `error` has the reason. */
    status: z.enum(['running', 'completed', 'failed']),
    exitCode: z.int().optional(),
    error: z.string().optional(),
    /** The output on stdout and stderr since the last call of this agent, unchanged. */
    stdout: z.string(),
    /** Number of matching lines that are left out before `stdout`. */
    omittedLines: z.int(),
    /** There is more output, for the next call. */
    isMore: z.boolean(),
    /** Epoch ms. */
    startTime: z.number(),
    /** The file of all output, an absolute path. */
    output_file: z.string(),
  }),
);
export type BashOutputOutput = Readonly<z.infer<typeof BashOutputOutput>>;

/**
 * Shows the output of a command since this agent's last call, and its status. Lines that a filter leaves out count as
 * shown; an incomplete line waits for the next call.
 */
export const BashOutputTool = completeTool<typeof BashOutputInput, BashOutputOutput>({
  name: 'BashOutput',
  searchHint: 'new output or log of a background command',
  inputSchema: BashOutputInput,
  outputSchema: BashOutputOutput,
  maxResultSizeChars: Infinity, // already limited, and the output has its file
  isReadOnly: () => true,
  isConcurrencySafe: () => false, // two calls at once would show the same output twice
  toAutoClassifierInput: ({ bash_id }) => bash_id,
  description: ({ bash_id }) => `New output of ${bash_id}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeOutput(output),
  }),

  async call({ bash_id, filter }, context) {
    const tasks = requireTasks('BashOutput', context.tasks);
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const shell = findShell(tasks, 'BashOutput', bash_id, 'TaskOutput'); // read before the output: if the command has ended, the output is complete
    const { id, description, startTime, outputFile, outcome } = shell;
    const from = tasks.takenOutput(id);
    const isOver = isTerminalTaskStatus(shell.status);
    const { text, next, isMore } =
      filter === undefined
        ? await readNewOutput(tasks, id, { from, maxBytes: MAX_OUTPUT })
        : await readNewLines(tasks, id, { from, isOver, signal });
    const { projectRoot: cwd } = context.files;
    const shown =
      filter === undefined || text === ''
        ? { stdout: text, omittedLines: 0 }
        : await matching(text, { pattern: filter, cwd, signal });
    tasks.takeOutput(id, next);
    const status = toTaskOutputStatus(shell.status);
    return {
      data: {
        bash_id: id,
        description,
        running: status === 'running',
        status,
        ...(outcome && describeEnd(outcome)),
        ...shown,
        isMore,
        startTime,
        output_file: outputFile,
      },
    };
  },
});

async function matching(
  text: string,
  options: { readonly pattern: string; readonly cwd: string; readonly signal: AbortSignal },
): Promise<Pick<BashOutputOutput, 'stdout' | 'omittedLines'>> {
  const found = await filterLines(text, { ...options, maxChars: MAX_OUTPUT });
  if (!('complaint' in found)) {
    const stdout = found.lines.map((line) => `${line}\n`).join('');
    const kept = stdout.slice(-MAX_OUTPUT).replace(/^[\udc00-\udfff]/, ''); // no half character
    return { stdout: kept, omittedLines: found.omitted };
  }
  const message = `BashOutput: the filter is invalid, and nothing was taken: ${found.complaint.slice(0, 1_000)}`;
  throw new ToolInputError('BashOutput', message);
}

/** An exit code other than 0 fails a background command. The result still shows the code. */
function describeEnd(outcome: TaskOutcome): Pick<BashOutputOutput, 'exitCode' | 'error'> {
  const { exitCode, error } = describeOutcome(outcome);
  const failed = outcome.status === 'failed' ? outcome.failure.details?.['exitCode'] : undefined;
  if (typeof failed === 'number') return { exitCode: failed };
  return { ...(exitCode !== undefined && { exitCode }), ...(error !== undefined && { error }) };
}

function describeOutput(output: BashOutputOutput): string {
  const { bash_id, description, status, error, exitCode, stdout, omittedLines, isMore } = output;
  const parts = [
    `Shell ${bash_id} (${description}): ${status}${error === undefined ? '' : `, ${error}`}`,
    exitCode === undefined ? undefined : `Exit code: ${exitCode}`,
    omittedLines === 0
      ? undefined
      : `[${omittedLines} matching lines are left out here. The whole output is in ${output.output_file}.]`,
    stdout === '' ? '(nothing new)' : `New output:\n${stdout.replace(/\n+$/, '')}`,
    isMore ? '[There is more output: call BashOutput again.]' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('\n');
}

const PROMPT = `Shows the new output of a background command since your last call, and whether it still runs.

- With \`filter\` only lines that match are shown; the others are not shown again.
- It answers at once. To wait for the end of a command use TaskOutput.`;
