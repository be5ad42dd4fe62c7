import type { AnyActorRef } from 'xstate';
import type { TaskId } from '../../core/ids.js';
import type { TaskContext } from '../../machines/task/task-setup.js';
import type { LiveTasks } from './task-registry.js';

/** Whether a task's agent will read its messages: not if the task, or one above it, is ending. */
export function isAtWork(tasks: LiveTasks, id: TaskId): boolean {
  const snapshot = tasks.actorOf(id)?.getSnapshot();
  if (snapshot === undefined) return false;
  return snapshot.matches('pending') || snapshot.matches({ running: 'active' });
}

/** Whether a task runs, and is not ending. */
export function isRunning(tasks: LiveTasks, id: TaskId): boolean {
  const value: unknown = tasks.actorOf(id)?.getSnapshot().value;
  const { running } = Object(value) as { readonly running?: unknown };
  return running === 'active';
}

/** Whether a task and everything below it have nothing to do until a message wakes them. */
export function isIdle(tasks: LiveTasks, id: TaskId): boolean {
  const context: TaskContext | undefined = tasks.actorOf(id)?.getSnapshot().context;
  return context?.isIdle === true;
}

/** Whether a task's agent has nothing to do, waits for no task below it, and stays for more input. */
export function isOpen(tasks: LiveTasks, id: TaskId): boolean {
  return (
    isRunning(tasks, id) &&
    workOf(tasks, id)
      ?.getSnapshot()
      .matches({ living: { idle: 'open' } }) === true
  );
}

/** The actor that does the work of a live task: an agent, a workflow or a command. */
export function workOf(tasks: LiveTasks, id: TaskId): AnyActorRef | undefined {
  return tasks.actorOf(id)?.getSnapshot().children['work'];
}
