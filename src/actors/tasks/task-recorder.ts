import type { AnyActorRef } from 'xstate';
import type { AppState } from '../../core/agents/app-state.js';
import type { TaskId } from '../../core/ids.js';
import { newTaskState } from '../../core/tasks/new-task-state.js';
import {
  isTerminalTaskStatus,
  type TaskOutcome,
  type TaskStateBase,
  type TaskStatus,
} from '../../core/task-types.js';
import { inFolder } from '../../files/in-folder.js';
import type { Journal } from '../../journal/journal.js';
import type { TaskContext } from '../../machines/task/task-setup.js';
import { CommandResult } from '../../processes/run/command-result.js';
import type { EventSink } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';
import type { TaskMemory } from './task-memory.js';
import type { TaskStarts } from './task-starts.js';
import type { TaskWaiters } from './task-waiters.js';

/** Record each change of a session's tasks: first in the journal, then for all listeners. */
export interface TaskRecorder {
  /** Live tasks, and those whose parent is not yet notified of their end; a new record after each change. */
  record(): AppState['tasks'];
  /** The state of a task's actor; called for each of its transitions, cheap if the status is the same. */
  observe(actor: AnyActorRef, status: TaskStatus, context: TaskContext): void;
  /** Restore the tasks of an earlier process, without notifications. */
  restore(tasks: readonly TaskStateBase[]): void;
  /** Note a fact about a task beside its status: how far its output was read, or its agent's kept worktree. */
  note(id: TaskId, facts: Partial<Pick<TaskStateBase, 'outputOffset' | 'worktree'>>): void;
  /** Note that the parent was notified of the end. */
  notified(id: TaskId): void;
  /** Note that the task was refused, and tell the caller. */
  refused(id: TaskId, reason: string): void;
}

export function createTaskRecorder({
  memory,
  starts,
  waiters,
  journal,
  bus,
  timers,
}: {
  readonly memory: TaskMemory;
  readonly starts: TaskStarts;
  readonly waiters: TaskWaiters;
  readonly journal: Journal;
  readonly bus: EventSink;
  readonly timers: TimeSource;
}): TaskRecorder {
  const { tasks, actors } = memory;

  const sendToBackground = (known: TaskStateBase): void => {
    const { id } = known;
    const task = { ...known, isBackgrounded: true };
    journal.append('tasks.jsonl', { type: 'task.backgrounded', id });
    memory.put(task);
    waiters.backgrounded(id);
    bus.emit('task.status', task);
  };

  const end = (task: TaskStateBase, outcome: TaskOutcome): void => {
    void journal.sync('tasks.jsonl');
    actors.delete(task.id);
    starts.ownerEnded(task.id);
    waiters.ended(task.id, outcome);
    memory.settle('ended', task);
  };

  return {
    record: () => memory.record(),
    observe(actor, observed, context) {
      const { id } = context.input;
      const { status, outcome } = endOf(observed, context, journal);
      const known = tasks.get(id);
      if (known?.isBackgrounded === false && context.isBackgrounded) sendToBackground(known);
      if (known?.status === status) return;
      if (known === undefined && isTerminalTaskStatus(status)) return; // the task has left memory
      if (known === undefined) actors.set(id, actor);
      const at = timers.now();
      const task: TaskStateBase = {
        ...(tasks.get(id) ?? firstState(context, inFolder(journal.directory, `output/${id}`), at)),
        status,
        ...(isTerminalTaskStatus(status) && outcome !== undefined ? { endTime: at, outcome } : {}),
      };
      const facts = known === undefined ? firstFacts(task, context) : {};
      const ended = task.outcome === undefined ? {} : { outcome: toJournaled(task.outcome) };
      const line = { type: 'task.status', id, status, ...facts, ...ended };
      if (isBeginning(task)) journal.appendSoon('tasks.jsonl', line);
      else journal.append('tasks.jsonl', line);
      memory.put(task);
      bus.emit('task.status', task);
      if (known === undefined) starts.started(task);
      if (task.outcome !== undefined) end(task, task.outcome);
    },
    restore(past) {
      past.forEach(memory.put);
      for (const task of past) memory.settle('restored', task);
    },
    note(id, facts) {
      const task = tasks.get(id);
      if (task !== undefined) memory.put({ ...task, ...facts });
    },
    notified(id) {
      const task = tasks.get(id);
      if (task === undefined || task.notified) return;
      const told = { ...task, notified: true };
      memory.put(told);
      bus.emit('task.notified', told);
      memory.settle('notified', told);
    },
    refused: starts.refused,
  };
}

/**
 * The outcome of a task. A session that could not be written has not succeeded, even if its actor completed before the
 * error.
 */
function endOf(
  status: TaskStatus,
  { input: { kind }, outcome }: TaskContext,
  journal: Journal,
): { readonly status: TaskStatus; readonly outcome: TaskOutcome | undefined } {
  if (kind !== 'session' || outcome?.status !== 'completed') return { status, outcome };
  journal.checkFiles();
  const failure = journal.failure();
  if (failure === undefined) return { status, outcome };
  return { status: 'killed', outcome: { status: 'killed', reason: failure.message } };
}

function firstState(context: TaskContext, outputFile: string, at: number): TaskStateBase {
  const { isBackgrounded } = context;
  const { id, kind, description, parentId, toolUseId } = context.input;
  return newTaskState({
    id,
    type: kind,
    status: 'pending',
    description,
    startTime: at,
    outputFile,
    isBackgrounded,
    parentId,
    toolUseId,
  });
}

/** The facts in a task's first line, beside its status. */
function firstFacts(task: TaskStateBase, { input: { agentId } }: TaskContext): object {
  const { type: kind, description, parentId, toolUseId, isBackgrounded } = task;
  return { kind, description, parentId, toolUseId, agentId, isBackgrounded };
}

/** Whether a session's task has just begun. The journal of its agent shows that too. */
function isBeginning({ type, outcome }: TaskStateBase): boolean {
  return type === 'session' && outcome === undefined;
}

/** The outcome for the journal: the output of a command is in the task's output file. */
function toJournaled(outcome: TaskOutcome): TaskOutcome {
  if (outcome.status !== 'completed') return outcome;
  const command = CommandResult.safeParse(outcome.result);
  if (!command.success) return outcome;
  const { stdout: _stdout, stderr: _stderr, ...result } = command.data;
  return { status: 'completed', result };
}
