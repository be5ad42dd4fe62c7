import type { ToolResultBlock } from '../../../core/messages.js';
import { describeUse } from '../../../tools/calls/tool-answers.js';
import type { JudgedCall } from './call.js';

type EndedCall = JudgedCall & {
  readonly problem: string | undefined;
  /** Why it was cancelled. */
  readonly cancelled: string | undefined;
};

/** The newest shell command of a caller that failed: calls beside it are cancelled, and their results name it. */
export interface ShellErrors {
  note(call: EndedCall, result: ToolResultBlock): void;
  /** Empty if none has failed. */
  newest(): string;
  /** ID of its tool call; empty if none has failed. */
  newestId(): string;
}

export function createShellErrors(): ShellErrors {
  let newest = '';
  let newestId = '';
  return {
    note({ block, tool, problem, input, cancelled }, result) {
      if (result.is_error !== true || tool?.name !== 'Bash' || cancelled !== undefined) return;
      newestId = block.id;
      newest = problem === undefined ? `Bash(${describeUse(tool, input)})` : 'Bash'; // an invalid input has no description
    },
    newest: () => newest,
    newestId: () => newestId,
  };
}
