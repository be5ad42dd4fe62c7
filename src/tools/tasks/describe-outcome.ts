import type { TaskOutcome } from '../../core/task-types.js';
import { CommandResult } from '../../processes/run/command-result.js';

/** The outcome of a task in the fields of tool results. */
export type DescribedOutcome = {
  /** Exit code of a shell command that ran to its end. */
  readonly exitCode?: number;
  /** The result of the task, if it is text. */
  readonly result?: string;
  /** Why it failed, or who ended it. */
  readonly error?: string;
};

export function describeOutcome(outcome: TaskOutcome): DescribedOutcome {
  switch (outcome.status) {
    case 'completed': {
      const { result } = outcome;
      if (typeof result === 'string') return { result };
      const command = CommandResult.safeParse(result).data;
      return command === undefined ? {} : describeCommand(command);
    }
    case 'failed':
      return { error: outcome.failure.message };
    case 'killed':
      return { error: `it was killed: ${outcome.reason}` };
    default:
      return outcome satisfies never;
  }
}

function describeCommand(result: CommandResult): DescribedOutcome {
  if (result.isTimedOut)
    return { error: `it timed out after ${result.durationMs} ms and was ended` };
  if (result.isAborted) return { error: 'it was interrupted' };
  if (result.signal !== null) return { error: `it was ended by ${result.signal}` };
  return result.exitCode === null ? {} : { exitCode: result.exitCode };
}
