import { z } from 'zod';
import { TaskKindName, TaskNotification } from '../../core/events.js';
import { Failure } from '../../core/failure.js';
import { AgentId, TaskId } from '../../core/ids.js';
import { newTaskState } from '../../core/tasks/new-task-state.js';
import { Usage } from '../../core/tasks/usage.js';
import {
  WorktreeBegun,
  WorktreeEntered,
  WorktreeKept,
  WorktreeLeft,
  WorktreeRemoved,
} from './worktree-entries.js';
import { isTerminalTaskStatus, TASK_STATUSES, type TaskStateBase } from '../../core/task-types.js';

const timestamp = z.number();

/** A new status. Constant fields are on a task's first line, the outcome on its last. */
const StatusEntry = z.lazy(() =>
  z.object({
    type: z.literal('task.status'),
    id: TaskId,
    status: z.enum(TASK_STATUSES),
    kind: TaskKindName.optional(),
    description: z.string().optional(),
    parentId: TaskId.optional(),
    toolUseId: z.string().optional(),
    agentId: AgentId.optional(),
    isBackgrounded: z.boolean().optional(),
    outcome: TaskNotification.shape.outcome.optional(),
    timestamp,
  }),
);

const BackgroundedEntry = z.lazy(() =>
  z.object({
    type: z.literal('task.backgrounded'),
    id: TaskId,
    timestamp,
  }),
);

/** The task was live when its process ended: written by the process that resumed the session. */
const LostEntry = z.lazy(() =>
  z.object({
    type: z.literal('task.lost'),
    id: TaskId,
    failure: Failure,
    timestamp,
  }),
);

const Total = z.lazy(() =>
  z.object({
    usage: Usage,
    costUsd: z
      .number()
      .optional()
      .transform((usd) => usd), // of a model without a price
    calls: z.number(),
  }),
);
const Totals = z.lazy(() =>
  z.object({
    total: Total,
    own: Total,
    byModel: z.array(z.tuple([z.string(), Total])),
  }),
);

/** Usage of the task and everything below it, written when the task leaves memory. */
const UsageEntry = z.lazy(() =>
  z.object({
    type: z.literal('task.usage'),
    id: TaskId,
    usage: Totals,
    timestamp,
  }),
);

/** Lines without a task's state. */
const OtherEntry = z.lazy(() =>
  z.object({
    type: z.string().regex(/^(?!task\.(?:status|backgrounded|lost|usage)$|worktree\.)/),
    timestamp,
  }),
);

export const TaskEntry = z.lazy(() =>
  z.union([
    StatusEntry,
    BackgroundedEntry,
    LostEntry,
    UsageEntry,
    WorktreeBegun,
    WorktreeRemoved,
    WorktreeKept,
    WorktreeEntered,
    WorktreeLeft,
    OtherEntry,
  ]),
);
export type TaskEntry = z.infer<typeof TaskEntry>;

/** A task of an earlier process. */
export type PastTask = {
  readonly state: TaskStateBase;
  readonly agentId: AgentId | undefined;
  /** Usage of a task that has left memory. */
  readonly usage?: z.infer<typeof Totals>;
};

/** The tasks of a session from its lines, in the order of their beginning. A task without an end was lost. */
export function toPastTasks(
  entries: readonly TaskEntry[],
  outputFileOf: (id: TaskId) => string,
): ReadonlyMap<TaskId, PastTask> {
  const tasks = new Map<TaskId, PastTask>();
  for (const entry of entries) addTaskEntry(tasks, entry, outputFileOf);
  return tasks;
}

/** Put one line into the tasks of a session. */
export function addTaskEntry(
  tasks: Map<TaskId, PastTask>,
  entry: TaskEntry,
  outputFileOf: (id: TaskId) => string,
): void {
  const change = (id: TaskId, changes: Partial<TaskStateBase>): void => {
    const known = tasks.get(id);
    if (known !== undefined) tasks.set(id, { ...known, state: { ...known.state, ...changes } });
  };
  if (!('id' in entry)) return;
  const { id, timestamp: at } = entry;
  if (entry.type === 'task.backgrounded') change(id, { isBackgrounded: true });
  else if (entry.type === 'task.usage') {
    const known = tasks.get(id);
    if (known !== undefined) tasks.set(id, { ...known, usage: entry.usage });
  } else if (entry.type === 'worktree.kept') change(id, { worktree: entry.kept });
  else if (entry.type === 'task.lost') {
    const outcome = { status: 'failed', failure: entry.failure } as const;
    change(id, { status: 'failed', outcome, endTime: at });
  } else if (entry.type === 'task.status') {
    if (!tasks.has(id)) tasks.set(id, firstState(entry, outputFileOf(id)));
    const { status, outcome } = entry;
    const isOver = isTerminalTaskStatus(status) && outcome !== undefined;
    change(id, isOver ? { status, outcome, endTime: at } : { status });
  }
}

function firstState(entry: z.infer<typeof StatusEntry>, outputFile: string): PastTask {
  const { id, kind: type = 'session', status, description: what = '', timestamp: at } = entry;
  const { parentId, toolUseId, isBackgrounded = false, agentId } = entry;
  const state = newTaskState({
    id,
    type,
    status,
    description: what,
    startTime: at,
    outputFile,
    isBackgrounded,
    parentId,
    toolUseId,
  });
  return { state, agentId };
}
