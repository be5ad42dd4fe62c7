import { waitFor, type AnyActorRef } from 'xstate';
import type { TaskId } from '../../core/ids.js';
import type { TaskContext } from '../../machines/task/task-setup.js';
import type { WorkflowContext } from '../../workflow/plan/workflow-types.js';
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

/** Whether a task's agent stays for more input when its turn has ended. */
export function staysOpen(tasks: LiveTasks, id: TaskId): boolean {
  return workOf(tasks, id)?.getSnapshot().context.staysOpen === true;
}

/** Resolve when the agent of a task works on no turn. @returns false if it has ended */
export async function untilTurnEnds(tasks: LiveTasks, id: TaskId): Promise<boolean> {
  const agent = workOf(tasks, id);
  if (agent === undefined) return tasks.actorOf(id) !== undefined;
  const now = await waitFor(
    agent,
    (snapshot) => snapshot.status !== 'active' || snapshot.matches({ living: 'idle' }),
  );
  return now.status === 'active';
}

/** The steps of a live workflow; undefined if its task has ended. */
export function liveSteps(tasks: LiveTasks, id: TaskId): WorkflowContext['steps'] | undefined {
  const workflow = workOf(tasks, id)?.getSnapshot().context as WorkflowContext | undefined; // the work is a workflow machine
  return workflow?.steps;
}

/** The actor that does the work of a live task: an agent, a workflow or a command. Only this file looks into it. */
function workOf(tasks: LiveTasks, id: TaskId): AnyActorRef | undefined {
  return tasks.actorOf(id)?.getSnapshot().children['work'];
}
