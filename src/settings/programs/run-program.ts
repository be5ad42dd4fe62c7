import type { CommandResult } from '../../processes/run/command-result.js';
import type { ShellCommand } from '../../processes/run/run-command.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';

/** Run a program that settings name, for its output. No file keeps the output, because it may have a secret. */
export function runProgram(
  processes: Pick<ProcessSupervisor, 'run'>,
  program: Pick<ShellCommand, 'taskId' | 'command' | 'cwd' | 'env' | 'timeoutMs' | 'signal'>,
): Promise<CommandResult> {
  return processes.run({
    ...program,
    onOutput: () => {},
    outputFile: '/dev/null',
    leavesSandbox: true,
  });
}
