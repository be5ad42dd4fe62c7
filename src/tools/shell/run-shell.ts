import type { ResultOnDisk } from '../../context/result-limit.js';
import { TaskFailedError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import { CommandResult, MOST_OUTPUT_BYTES } from '../../processes/run/command-result.js';
import {
  ShellKilledError,
  ShellNeedsOrchestratorError,
} from '../../processes/start/shell-errors.js';
import type {
  CommandRequest,
  SpawnedTask,
  TaskCapabilities,
} from '../capabilities/task-capabilities.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import type { ToolProgressData, ToolResult, ToolUseContext } from '../tool.js';
import type { BashOutput } from './bash-result.js';
import { findNextCwd } from './next-cwd.js';
import { workspaceOf } from './workspace-of.js';

/** Length of a command that replaces a missing description. */
const LONGEST_DESCRIPTION = 80;

/** The output of the shell since the last progress. */
export type BashProgress = ToolProgressData & {
  /** Always `bash_output`. */
  readonly type: 'bash_output';
  /** Text of stdout and stderr. */
  readonly text: string;
};

/** One command line for a new shell of bash. */
export type ShellRun = Pick<
  CommandRequest,
  'command' | 'description' | 'timeoutMs' | 'isBackgrounded' | 'isMonitored' | 'leavesSandbox'
> & { readonly runsAs?: string | undefined };

/** Start a command line as a task of the agent. @throws ShellNeedsOrchestratorError without an orchestrator */
export async function startShell(
  toolName: string,
  { runsAs, ...run }: ShellRun,
  context: ToolUseContext,
  onProgress?: (progress: BashProgress) => void,
): Promise<{ readonly tasks: TaskCapabilities; readonly task: SpawnedTask }> {
  const { call, files } = context;
  const tasks = context.tasks.control;
  if (tasks === undefined) throw new ShellNeedsOrchestratorError(toolName);
  call.abortController.signal.throwIfAborted();
  const task = await tasks.spawn({
    kind: 'local_bash',
    ...run,
    cwd: files.cwd,
    toolUseId: call.toolUseId,
    workspace: workspaceOf(context),
    ...(runsAs !== undefined && { runsAs }),
    ...(onProgress && { onProgress: (text) => onProgress({ type: 'bash_output', text }) }),
  });
  return { tasks, task };
}

/**
 * Run a command line and resolve when it has ended, has started in the background, or was moved there. The folder in
 * which the shell ends is the agent's next one.
 *
 * @param isAnswer whether an exit code other than 0 is an answer, not an error
 */
export async function runShell(
  toolName: string,
  run: ShellRun,
  context: ToolUseContext,
  {
    isAnswer = () => false,
    onProgress,
  }: {
    readonly isAnswer?: (exitCode: number) => boolean;
    readonly onProgress?: ((progress: BashProgress) => void) | undefined;
  } = {},
): Promise<ToolResult<BashOutput>> {
  const { tasks, task } = await startShell(toolName, run, context, onProgress);
  const { id, outputFile } = task;
  if (run.isBackgrounded) return { data: { bash_id: id, output_file: outputFile, isError: false } };
  const outcome = await waitOrKill(tasks, id, context.call.abortController.signal);
  if (outcome.status === 'backgrounded')
    return { data: { bash_id: id, wasMoved: true, output_file: outputFile, isError: false } };
  const result = toCommandResult(id, outcome);
  const next = await findNextCwd(result.cwd, context.files.projectRoot, {
    isCwdGone: result.isCwdGone,
  });
  return {
    data: toOutput(run, result, {
      outputFile,
      isAnswer,
      sandboxed: context.session.sandbox !== undefined && !run.leavesSandbox,
      ...next,
    }),
    ...(result.isTruncated && { onDisk: onDiskAt(outputFile, result) }),
    contextModifier: (previous) => ({ ...previous, files: { ...previous.files, cwd: next.cwd } }),
  };
}

/** The result of a shell that has ended. @throws TaskFailedError, ShellKilledError */
export function toCommandResult(id: TaskId, outcome: TaskOutcome): CommandResult {
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

/** The beginning of a command in one line, cut between characters. */
export function shortened(command: string): string {
  const line = command.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= LONGEST_DESCRIPTION) return line;
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…`;
}

function onDiskAt(path: string, { outputBytes }: CommandResult): ResultOnDisk {
  const missingBytes = Math.max(0, outputBytes - MOST_OUTPUT_BYTES);
  return missingBytes === 0 ? { path } : { path, missingBytes };
}

function toOutput(
  { timeoutMs }: ShellRun,
  result: CommandResult,
  {
    outputFile,
    isAnswer,
    sandboxed,
    cwd,
    note,
  }: {
    readonly outputFile: string;
    readonly isAnswer: (exitCode: number) => boolean;
    readonly sandboxed: boolean;
    readonly cwd: string;
    readonly note?: string;
  },
): BashOutput {
  const { exitCode, signal, isTimedOut, isAborted } = result;
  const isWell = exitCode !== null && (exitCode === 0 || isAnswer(exitCode));
  return {
    stdout: result.stdout,
    stderr: result.stderr,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
    ...(isTimedOut && { timedOutAfter: timeoutMs }),
    ...(isAborted && { isInterrupted: true }),
    duration: result.durationMs,
    sandboxed,
    cwd,
    ...(note !== undefined && { cwdNote: note }),
    output_file: outputFile,
    ...(result.isTruncated && { isTruncated: true }),
    isError: !isWell || isTimedOut || isAborted,
  };
}
