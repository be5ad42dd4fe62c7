import type { TaskNotification } from '../core/events.js';
import { frame } from '../core/text/frame.js';
import { toNotificationStatus } from '../core/text/status-words.js';
import { describeKept, type KeptWorktree } from '../core/worktree.js';

/** The user block that notifies an agent of the end of its background task. */
export function notificationText(
  { id, kind, outcome }: Pick<TaskNotification, 'id' | 'kind' | 'outcome'>,
  {
    description,
    outputFile,
    worktree,
  }: {
    readonly description: string;
    readonly outputFile: string;
    readonly worktree?: KeptWorktree | undefined;
  },
): string {
  return frame('task-notification', {}, [
    ['task-id', id],
    ['kind', kind],
    ['status', toNotificationStatus(outcome.status)],
    ['description', description],
    ['result', resultText(outcome)],
    ['output-file', outputFile],
    ...(worktree === undefined ? [] : [['worktree', describeKept(worktree)] as const]),
  ]);
}

function resultText(outcome: TaskNotification['outcome']): string {
  switch (outcome.status) {
    case 'completed':
      return describeResult(outcome.result);
    case 'failed':
      return outcome.failure.message;
    case 'killed':
      return `stopped: ${outcome.reason}`;
  }
  return outcome satisfies never;
}

function describeResult(result: unknown): string {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null) return String(result);
  if ('exitCode' in result) return `exit code ${String(result.exitCode)}`;
  return JSON.stringify(result);
}
