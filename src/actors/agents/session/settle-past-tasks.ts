import type { TaskNotification } from '../../../core/events.js';
import {
  isTerminalTaskStatus,
  type TaskKind,
  type TaskOutcome,
  type TaskStateBase,
} from '../../../core/task-types.js';
import { describeKept } from '../../../core/worktree.js';
import type { JournalLines } from '../../../journal/journal.js';
import type { PastTask } from '../../../journal/entries/task-entries.js';
import { isNews } from '../../../machines/task/task-child.js';
import type { InterruptedCall } from '../parts/caller.js';
import type { ResumedSession } from './resumed-session.js';

const LOST = {
  code: 'LOST',
  message: 'Lost with the process that ran it: it was running when that ended.',
};

/** End every task that was live when its process ended, with one line each. @returns all past tasks */
export function settlePastTasks(
  { tasks, told }: ResumedSession,
  journal: JournalLines,
  now: () => number,
): readonly PastTask[] {
  return [...tasks.values()].map((task) => {
    const state = { ...task.state, notified: told.has(task.state.id) };
    if (isTerminalTaskStatus(state.status)) return { ...task, state };
    journal.append('tasks.jsonl', { type: 'task.lost', id: state.id, failure: LOST });
    const outcome = { status: 'failed', failure: LOST } as const;
    return { ...task, state: { ...state, status: 'failed', outcome, endTime: now() } };
  });
}

/**
 * The news for the main agent: background tasks of its own whose end it has not seen, and other background tasks that
 * were lost together with their parents.
 */
export function untoldEnds(
  past: readonly PastTask[],
  { told }: Pick<ResumedSession, 'told'>,
): readonly TaskNotification[] {
  const sessions = new Set(past.filter(isSession).map(({ state }) => state.id));
  return past.flatMap(({ state }): TaskNotification[] => {
    const { id, type, parentId, isBackgrounded, outcome } = state;
    if (isBackgrounded !== true || !isNews(type) || outcome === undefined || told.has(id))
      return [];
    const isOwn = parentId !== undefined && sessions.has(parentId);
    return isOwn || isLost(state) ? [{ type: 'task.notification', id, kind: type, outcome }] : [];
  });
}

const WORDS: Readonly<Partial<Record<TaskKind, string>>> = {
  local_agent: 'the sub-agent',
  in_process_teammate: 'the teammate',
};

/** The tasks that a tool call had started when its process ended, with their outcomes, in words for the model. */
export function describeStarted(
  tasks: readonly TaskStateBase[],
  { toolUseId, toolName }: InterruptedCall,
): string | undefined {
  const task = tasks.findLast((one) => one.toolUseId === toolUseId);
  if (task?.outcome === undefined)
    return toolName === 'Agent'
      ? 'Troupe has no record of a sub-agent that it started.'
      : undefined;
  const { id, type, outputFile, worktree } = task;
  const kept = worktree === undefined ? '' : ` ${describeKept(worktree)}`;
  const what = WORDS[type] ?? 'the task';
  const continues =
    type === 'in_process_teammate' && isLost(task)
      ? " The session's own teammates continue by themselves."
      : '';
  return `It had started ${what} ${id}, which ${describeFate(task.outcome)}; what it wrote is in ${outputFile}.${continues}${kept}`;
}

function describeFate(outcome: TaskOutcome): string {
  switch (outcome.status) {
    case 'completed':
      return 'had completed by then';
    case 'failed':
      return outcome.failure.code === LOST.code
        ? 'was lost with the process'
        : `had failed by then (${outcome.failure.message})`;
    case 'killed':
      return `had been stopped by then (${outcome.reason})`;
    default:
      return outcome satisfies never;
  }
}

function isSession({ state }: PastTask): boolean {
  return state.type === 'session';
}

/** Whether the task was live when its process ended. */
export function isLost({ outcome }: TaskStateBase): boolean {
  return outcome?.status === 'failed' && outcome.failure.code === LOST.code;
}
