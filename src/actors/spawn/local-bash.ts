import type { Environment } from '../../files/folders.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import { TaskFailedError, toFailure } from '../../core/errors.js';
import type { Effort } from '../../core/agents/agent-definition.js';
import type { TaskInput } from '../../core/events.js';
import { fromWork, type WorkLogic } from '../../machines/from-work.js';
import type { CommandResult } from '../../processes/run/command-result.js';
import type { ShellCommand } from '../../processes/run/run-command.js';
import type { JournalLines, SessionFiles } from '../../journal/journal.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { SessionTelemetry } from '../telemetry/telemetry.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import { monitorLines, type MonitorOwners } from './monitor-lines.js';

/** The input of a `local_bash` task. */
export type BashSpec = Pick<
  ShellCommand,
  'command' | 'cwd' | 'timeoutMs' | 'workspace' | 'leavesSandbox' | 'runsAs'
> & {
  readonly isMonitored?: true;
  /** How much the agent of the command thinks. */
  readonly effort?: Effort;
};

/** The services that a command runs with. */
export type BashOwners = MonitorOwners & {
  readonly settings: { readonly env: Environment };
  readonly hooks: Pick<SessionHooks, 'env'>;
  readonly shared: { readonly processes: ProcessSupervisor };
  readonly tasks: TaskRegistry;
  readonly journal: JournalLines & SessionFiles;
  /** Absent if nobody collects spans. */
  readonly telemetry?: SessionTelemetry | undefined;
};

/**
 * The work of a `local_bash` task: one shell command. It resolves with a `CommandResult` when no process of the command
 * is left. No caller reads the result of a background command, so an exit code other than 0 is a failure there.
 */
export function createBashWork(sessionOf: (task: TaskInput) => BashOwners): WorkLogic<TaskInput> {
  return fromWork(async ({ input: task, signal }) => {
    const session = sessionOf(task);
    const { timeoutMs, isMonitored = false, effort, ...spec } = task.spec as BashSpec; // spawnTask has made it
    const { tasks } = session;
    const notices = isMonitored ? monitorLines(session, task) : undefined;
    const untimed = new AbortController();
    if (!isMonitored) void tasks.foreground.waitFor(task.id).then(() => untimed.abort());
    const result = await session.shared.processes
      .run({
        taskId: task.id,
        ...spec,
        env: {
          ...session.settings.env,
          ...session.hooks.env(),
          ...(await session.telemetry?.environment(task)),
          CLAUDE_EFFORT: effort,
        },
        timeoutMs: task.isBackgrounded && !isMonitored ? LONGEST_TIMER_MS : timeoutMs, // the background has no time limit
        untimed: untimed.signal,
        signal,
        onOutput: (chunk) => tasks.foreground.report(task.id, chunk),
        onStdout: notices?.write,
        outputFile: session.journal.pathOf(`output/${task.id}`),
      })
      .finally(() => notices?.end());
    session.journal.append('tasks.jsonl', {
      type: 'process.ended',
      id: task.id,
      command: spec.command,
      startedAt: result.startedAt,
      endedAt: result.endedAt,
      exitCode: result.exitCode,
      signal: result.signal,
    });
    if (tasks.find(task.id)?.isBackgrounded === true) checkExit(result, timeoutMs);
    return result;
  }, toFailure);
}

/** @throws TaskFailedError */
function checkExit({ exitCode, signal, isTimedOut }: CommandResult, timeoutMs: number): void {
  if (exitCode === 0) return;
  throw new TaskFailedError({
    code: 'EXIT_CODE',
    message: isTimedOut
      ? `it was ended at its timeout of ${timeoutMs} ms`
      : `exit code ${exitCode ?? signal}`,
    details: { exitCode, signal },
  });
}
