import { messageOf, TroupeError } from '../../core/errors.js';

/** The shell itself could not be started: nothing of the command has run. */
export class ShellStartError extends TroupeError {
  override readonly name = 'ShellStartError';
  readonly code = 'SHELL_NOT_STARTED';

  constructor(why: string, options?: ErrorOptions) {
    super(`The shell could not be started: ${why}`, { ...options, recoverable: true });
  }
}

/** Why a command could not be started, as a {@link ShellStartError}; an error of Troupe stays unchanged. */
export function toStartError(error: unknown): TroupeError {
  if (error instanceof TroupeError) return error;
  const message = messageOf(error);
  const why = /\bE[MN]FILE\b/.test(message)
    ? `too many files are open (${message}). Try again when other commands have ended, or raise "ulimit -n".`
    : message.includes('E2BIG')
      ? 'the command or its environment is too long. Put the text into a file and run that.'
      : message;
  return new ShellStartError(why, { cause: error });
}

/** A command was given to a supervisor after its `close`. */
export class ProcessSupervisorClosedError extends TroupeError {
  override readonly name = 'ProcessSupervisorClosedError';
  readonly code = 'PROCESS_SUPERVISOR_CLOSED';

  constructor() {
    super('No shell can be started any more: Troupe is shutting down.');
  }
}

/** A tool that starts shells was called without an orchestrator. */
export class ShellNeedsOrchestratorError extends TroupeError {
  override readonly name = 'ShellNeedsOrchestratorError';
  readonly code = 'SHELL_NEEDS_ORCHESTRATOR';

  constructor(toolName: string) {
    super(
      `${toolName} needs a running orchestrator, which owns the processes: give it a context with \`tasks\`.`,
      { details: { toolName } },
    );
  }
}

/** A command was ended on request while a caller waited for it. */
export class ShellKilledError extends TroupeError {
  override readonly name = 'ShellKilledError';
  readonly code = 'SHELL_KILLED';

  constructor(taskId: string, reason: string) {
    super(`The command was killed (${reason}). Its task was ${taskId}.`, { details: { taskId } });
  }
}
