import type { SessionHandle, TaskStateBase, TaskUsage, UsageTotal } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import type { SessionFacts } from './prompt-queue.js';

/** The usage of a session, by model. */
export function describeCost({ total, byModel }: TaskUsage): string {
  if (total.calls === 0) return 'There was no request yet.';
  const models = [...byModel].map(([model, used]) => `  ${model}: ${describeTotal(used)}`);
  return [describeTotal(total), ...(models.length > 1 ? models : [])].join('\n');
}

function describeTotal({ usage, costUsd, calls }: UsageTotal): string {
  const input =
    usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  return [
    costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`,
    `${calls} ${calls === 1 ? 'request' : 'requests'}`,
    `${input} tokens in, ${usage.output_tokens} out`,
  ].join(' · ');
}

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

/** One line for each task of the session. */
export function describeTasks(tasks: readonly TaskStateBase[]): string {
  const lines = tasks
    .filter(({ type }) => type !== 'session')
    .map(({ id, status, type, description, isBackgrounded }) =>
      [
        id,
        status.padEnd(9),
        isBackgrounded === true ? 'background' : 'foreground',
        type,
        oneLine(description, 80),
      ].join('  '),
    );
  return lines.length === 0 ? 'There are no tasks.' : lines.join('\n');
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
