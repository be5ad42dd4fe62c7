import type { SessionHandle, TaskStateBase } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import type { SessionFacts } from './prompt-queue.js';

export function describeStatus(
  session: Pick<SessionHandle, 'sessionId' | 'directory' | 'tasks'>,
  { start, isWorking }: { readonly start: SessionFacts | undefined; readonly isWorking: boolean },
): string {
  const running = session.tasks().filter(isRunning).length;
  return [
    `Session ${session.sessionId}: ${isWorking ? 'working' : 'waits for a prompt'}`,
    ...(start === undefined
      ? ['The session has not begun: there was no prompt yet.']
      : [
          `It began with ${start.model} in the mode ${start.permissionMode}; ${running} of its tasks run.`,
          `Its folder: ${start.cwd}`,
        ]),
    `Its journal: ${session.directory}`,
  ].join('\n');
}

/** Describe the tasks that still run after a failed turn; undefined if there are none. */
export function describeBackground(tasks: readonly TaskStateBase[]): string | undefined {
  const left = tasks
    .filter((task) => isRunning(task) && task.isBackgrounded === true)
    .map(({ description }) => oneLine(description, 40));
  if (left.length === 0) return undefined;
  return `Still running in the background: ${left.join(', ')}. See /tasks.`;
}

function isRunning({ status, type }: TaskStateBase): boolean {
  return type !== 'session' && (status === 'running' || status === 'pending');
}
