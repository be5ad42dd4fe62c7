import { given } from '../../../core/json/given.js';
import type { TaskId } from '../../../core/ids.js';
import { isBackgroundTask, type TaskStateBase } from '../../../core/task-types.js';
import type { Alarm, Stopwatch } from '../../services/timers.js';
import type { BackgroundTask } from '../../contract/task-message.js';
import type { MessageWriter } from './message-writer.js';

/** Each message lists all tasks, so that many changes in a short time make one message. */
const INTERVAL_MS = 1_000;

/** The live background tasks of a session, as messages. */
export interface BackgroundTasks {
  observe(
    task: TaskStateBase,
    facts: Pick<BackgroundTask, 'subagent_type' | 'parent_task_id'>,
  ): void;
  /** Write a change that is not written yet. */
  flush(): void;
  /** Write nothing any more. */
  stop(): void;
}

/** Write the whole list when it changes: at once, then at most once a second. */
export function createBackgroundTasks(
  { put }: Pick<MessageWriter, 'put'>,
  { after, stopwatch }: Alarm & Stopwatch,
): BackgroundTasks {
  const live = new Map<TaskId, BackgroundTask>();
  let sinceLast: (() => number) | undefined;
  let cancel: (() => void) | undefined;

  const write = (): void => {
    cancel?.();
    cancel = undefined;
    sinceLast = stopwatch();
    put({ type: 'system', subtype: 'background_tasks_changed', tasks: [...live.values()] });
  };
  const change = (): void => {
    const waitMs = INTERVAL_MS - (sinceLast?.() ?? INTERVAL_MS);
    if (waitMs <= 0) write();
    else cancel ??= after(waitMs, write);
  };

  return {
    observe(task, facts) {
      const { id, type, description } = task;
      const isLive = isBackgroundTask(task);
      if (isLive === live.has(id)) return;
      if (isLive) live.set(id, { task_id: id, task_type: type, description, ...given(facts) });
      else live.delete(id);
      change();
    },
    flush() {
      if (cancel !== undefined) write();
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
