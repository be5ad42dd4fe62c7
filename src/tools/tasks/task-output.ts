import { z } from 'zod';
import { toTaskOutputStatus } from '../../core/text/status-words.js';
import { isTerminalTaskStatus } from '../../core/task-types.js';
import { describeKept } from '../../core/worktree.js';
import { completeTool } from '../complete-tool.js';
import { describeOutcome } from './describe-outcome.js';
import { findTask, TaskIdField } from './find-task.js';
import { readTail } from './read-tail.js';
import { requireTasks } from './require-tasks.js';
import { waitWithin } from './wait-within.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_CHARS = 30_000;

export const TaskOutputInput = z.object({
  task_id: TaskIdField,
  block: z.boolean().default(true).describe('Wait for the end of the task; false answers at once'),
  timeout: z
    .int()
    .nonnegative()
    .max(LONGEST_TIMEOUT_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe('Milliseconds to wait at most'),
});
export type TaskOutputInput = z.infer<typeof TaskOutputInput>;

export const TaskOutputOutput = z.lazy(() =>
  z.object({
    task_id: z.string(),
    /** A killed task counts as failed; `error` has the reason. */
    status: z.enum(['running', 'completed', 'failed']),
    completed: z.boolean(),
    description: z.string(),
    /** Exit code of a shell command that ran to its end. */
    exitCode: z.int().optional(),
    /** The result of the task, if it is text. */
    result: z.string().optional(),
    /** Why it failed, or who ended it. */
    error: z.string().optional(),
    /** The last 30,000 characters of the output, at most. */
    output: z.string(),
    /** Number of characters before `output`. */
    omittedChars: z.int(),
    /** The file of all output, an absolute path. */
    output_file: z.string(),
    /** The git worktree of the agent, which is kept because there is work in it. */
    worktree: z.object({ path: z.string(), branch: z.string(), why: z.string() }).optional(),
    /** Milliseconds after which the wait ended. */
    timedOutAfter: z.int().optional(),
  }),
);
export type TaskOutputOutput = Readonly<z.infer<typeof TaskOutputOutput>>;

/** Shows the status and the output of a task. A task that still runs at the end of the wait is not an error. */
export const TaskOutputTool = completeTool<typeof TaskOutputInput, TaskOutputOutput>({
  name: 'TaskOutput',
  searchHint: 'result, status or log of background work',
  inputSchema: TaskOutputInput,
  outputSchema: TaskOutputOutput,
  maxResultSizeChars: Infinity, // already limited, and the output has its file
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  toAutoClassifierInput: ({ task_id }) => task_id,
  description: ({ task_id }) => `Output of ${task_id}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeTask(output),
  }),

  async call({ task_id, block, timeout }, context) {
    const tasks = requireTasks('TaskOutput', context.tasks);
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const task = findTask(tasks, 'TaskOutput', task_id);
    const isWaiting = block && !isTerminalTaskStatus(task.status);
    const outcome = isWaiting
      ? await waitWithin(tasks, task.id, { timeoutMs: timeout, signal })
      : task.outcome;
    const { text, omittedChars } = await readTail(tasks, task.id, {
      maxChars: MAX_OUTPUT_CHARS,
      signal,
    });
    const worktree = tasks.find(task.id)?.worktree;
    const status = toTaskOutputStatus(outcome?.status ?? task.status);
    return {
      data: {
        task_id: task.id,
        status,
        completed: status === 'completed',
        description: task.description,
        ...(outcome && describeOutcome(outcome)),
        output: text,
        omittedChars,
        output_file: task.outputFile,
        ...(worktree !== undefined && { worktree }),
        ...(isWaiting && outcome === undefined && { timedOutAfter: timeout }),
      },
    };
  },
});

function describeTask(task: TaskOutputOutput): string {
  const { output, omittedChars, result, exitCode, error, timedOutAfter } = task;
  const isRepeated = result !== undefined && output.trimEnd().endsWith(result.trimEnd());
  const parts = [
    `Task ${task.task_id} (${task.description}): ${task.status}${error === undefined ? '' : `, ${error}`}`,
    timedOutAfter === undefined ? undefined : `It still runs after a wait of ${timedOutAfter} ms.`,
    exitCode === undefined ? undefined : `Exit code: ${exitCode}`,
    result === undefined || isRepeated ? undefined : `Result:\n${result}`,
    omittedChars === 0
      ? undefined
      : `[The first ${omittedChars} characters are left out. The whole output is in ${task.output_file}.]`,
    task.worktree === undefined ? undefined : describeKept(task.worktree),
    output === '' ? '(no output)' : `Output:\n${output.trimEnd()}`,
  ];
  return parts.filter((part) => part !== undefined).join('\n');
}

const PROMPT = `Shows the status and the output of a task: a background agent or command.

- It waits for the end of the task for up to \`timeout\` ms (${DEFAULT_TIMEOUT_MS} if left out, at most ${LONGEST_TIMEOUT_MS}). With block: false it answers at once.
- A task that still runs is not an error: its output so far is shown.
- You get a notification of the end of a background task anyway: wait only for a result that the next step needs.`;
