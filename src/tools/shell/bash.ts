import { z } from 'zod';
import type { ResultOnDisk } from '../../context/result-limit.js';
import { TaskFailedError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import { whyOutsideSandbox } from '../../permissions/shell/excluded-command.js';
import { seemsDestructive } from './destroys.js';
import { isReadOnlyCommand } from '../../permissions/shell/read-only.js';
import { buildTool } from '../build-tool.js';
import { BashOutput, toBashResultBlock } from './bash-result.js';
import { CommandResult, MOST_OUTPUT_BYTES } from '../../processes/command-result.js';
import { isAnswer } from './exit-code-answer.js';
import { findNextCwd } from './next-cwd.js';
import { ShellKilledError, ShellNeedsOrchestratorError } from '../../processes/shell-errors.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import type { ToolProgressData } from '../tool.js';
import { workspaceOf } from './workspace-of.js';

/** Time limits of a command. */
export type BashLimits = {
  /** The default of a call. */
  readonly defaultMs: number;
  /** The maximum of a call. */
  readonly longestMs: number;
};

/** The default limits. */
export const LIMITS: BashLimits = { defaultMs: 120_000, longestMs: 600_000 };
/** Length of a command that replaces a missing description. */
const LONGEST_DESCRIPTION = 80;

export const BashInput = z.object({
  command: z
    .string()
    .refine((text) => text.trim() !== '', 'the command is empty')
    .refine((text) => !text.includes('\0'), 'a command cannot contain a NUL character')
    .describe('The command to run, as bash reads it'),
  timeout: z
    .number()
    .positive()
    .max(LIMITS.longestMs)
    .default(LIMITS.defaultMs)
    .describe('Milliseconds after which it is ended'),
  description: z.string().optional().describe('What it does, in 5 to 10 words'),
  run_in_background: z
    .boolean()
    .default(false)
    .describe('Answer at once; read its output later with BashOutput, end it with KillShell'),
  dangerouslyDisableSandbox: z
    .boolean()
    .default(false)
    .describe('Runs it outside the sandbox, if there is one; always needs approval then'),
});
export type BashInput = z.infer<typeof BashInput>;

/** The output of the shell since the last progress. */
export type BashProgress = ToolProgressData & {
  readonly type: 'bash_output';
  readonly text: string;
};

/**
 * Runs a command in a new shell, as a task. In the foreground it resolves when the command and all its processes have
 * ended, or when it is moved to the background. Rejects with the abort reason after an aborted command has ended.
 */
export const BashTool = buildTool<typeof BashInput, BashOutput, BashProgress>({
  name: 'Bash',
  searchHint: 'run shell commands, scripts, git, builds',
  inputSchema: BashInput,
  outputSchema: BashOutput,
  maxResultSizeChars: 30_000,
  interruptBehavior: () => 'block',
  isReadOnly: ({ command }) => isReadOnlyCommand(command),
  isDestructive: ({ command }) => seemsDestructive(command),
  isConcurrencySafe: ({ command, run_in_background }) =>
    !run_in_background && isReadOnlyCommand(command),
  permissionTarget: ({ command }) => ({ kind: 'shell', command }),
  toAutoClassifierInput: ({ command }) => command,
  description: ({ command, description }) => description ?? shortened(command),
  prompt: () => promptWith(LIMITS),
  present: ({ stdout = '', stderr = '', exitCode }, { command }) => ({
    kind: 'command',
    command,
    output: [stdout, stderr].filter((text) => text !== '').join('\n'),
    ...(exitCode !== undefined && { exitCode }),
  }),
  mapToolResultToToolResultBlockParam: toBashResultBlock,

  async call(input, context, _canUseTool, _parentMessage, onProgress) {
    const { command, timeout, run_in_background: isBackgrounded } = input;
    const { call, files, session } = context;
    const { cwd, projectRoot } = files;
    const { signal } = call.abortController;
    const { safeguardedCommand: runsAs } = context.permissions;
    const tasks = context.tasks.control;
    if (tasks === undefined) throw new ShellNeedsOrchestratorError();
    signal.throwIfAborted();
    const task = await tasks.spawn({
      kind: 'local_bash',
      command,
      description: input.description ?? shortened(command),
      cwd,
      timeoutMs: timeout,
      isBackgrounded,
      toolUseId: call.toolUseId,
      workspace: workspaceOf(context),
      leavesSandbox: whyOutsideSandbox(input, session.sandbox) !== undefined,
      ...(runsAs !== undefined && { runsAs }),
      ...(onProgress && { onProgress: (text) => onProgress({ type: 'bash_output', text }) }),
    });
    if (isBackgrounded) {
      return { data: { bash_id: task.id, output_file: task.outputFile, isError: false } };
    }
    const outcome = await waitOrKill(tasks, task.id, signal);
    if (outcome.status === 'backgrounded') {
      const { id, outputFile } = task;
      return { data: { bash_id: id, wasMoved: true, output_file: outputFile, isError: false } };
    }
    const result = toCommandResult(task.id, outcome);
    const next = await findNextCwd(result.cwd, projectRoot, { isCwdGone: result.isCwdGone });
    return {
      data: toOutput(input, result, { outputFile: task.outputFile, ...next }),
      ...(result.isTruncated && { onDisk: onDiskAt(task.outputFile, result) }),
      contextModifier: (previous) => ({ ...previous, files: { ...previous.files, cwd: next.cwd } }),
    };
  },
});

/** Make the tool with other limits. */
export function bashWithin(limits: BashLimits): typeof BashTool {
  const { timeout } = BashInput.shape;
  const inputSchema = BashInput.extend({
    timeout: z
      .number()
      .positive()
      .max(limits.longestMs)
      .default(limits.defaultMs)
      .describe(timeout.description ?? ''),
  });
  return { ...BashTool, inputSchema, prompt: () => promptWith(limits) };
}

function onDiskAt(path: string, { outputBytes }: CommandResult): ResultOnDisk {
  const missingBytes = Math.max(0, outputBytes - MOST_OUTPUT_BYTES);
  return missingBytes === 0 ? { path } : { path, missingBytes };
}

function toCommandResult(id: TaskId, outcome: TaskOutcome): CommandResult {
  switch (outcome.status) {
    case 'completed':
      return CommandResult.parse(outcome.result);
    case 'failed':
      throw new TaskFailedError(outcome.failure);
    case 'killed':
      throw new ShellKilledError(id, outcome.reason);
    default:
      return outcome satisfies never;
  }
}

function toOutput(
  { command, timeout }: BashInput,
  result: CommandResult,
  { outputFile, cwd, note }: { outputFile: string; cwd: string; note?: string },
): BashOutput {
  const { exitCode, signal, isTimedOut, isAborted } = result;
  const isWell = exitCode !== null && (exitCode === 0 || isAnswer(command, exitCode));
  return {
    stdout: result.stdout,
    stderr: result.stderr,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
    ...(isTimedOut && { timedOutAfter: timeout }),
    ...(isAborted && { isInterrupted: true }),
    duration: result.durationMs,
    cwd,
    ...(note !== undefined && { cwdNote: note }),
    output_file: outputFile,
    ...(result.isTruncated && { isTruncated: true }),
    isError: !isWell || isTimedOut || isAborted,
  };
}

/** The beginning, cut between characters. */
function shortened(command: string): string {
  const line = command.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= LONGEST_DESCRIPTION) return line;
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…`;
}

function promptWith({ defaultMs, longestMs }: BashLimits): string {
  return `Runs a command in bash and returns its output and exit code.

- Each command runs in a new shell: variables and functions do not last, the working directory does, within the project.
- When the shell ends, every process that it started is ended too. For a command that is to keep running, set run_in_background: the answer comes at once with an ID for BashOutput and KillShell. A notification follows when it ends.
- It is ended after ${defaultMs} ms, or after \`timeout\` (at most ${longestMs} ms).
- There is no terminal and no input: use options that keep a command from asking.
- Read, search and edit files with the tools made for it.`;
}
