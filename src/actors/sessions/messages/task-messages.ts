import type { TaskId } from '../../../core/ids.js';
import { toNotificationStatus } from '../../../core/text/status-words.js';
import { isTerminalTaskStatus, type TaskStateBase } from '../../../core/task-types.js';
import { given } from '../../../core/json/given.js';
import type { AgentWork } from './agent-work.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import type { BackgroundTask } from '../../contract/task-message.js';
import { liveAgentOf, type AgentDirectory } from '../../agents/agent-directory.js';
import type { TaskLookup } from '../../tasks/task-registry.js';

type TaskPatch = Extract<SessionMessageBody, { subtype: 'task_updated' }>['patch'];

/** The sources of messages about tasks. */
export type TaskMessageOwners = {
  readonly options: { readonly taskId: TaskId };
  readonly agents: AgentDirectory;
  readonly tasks: TaskLookup;
};

/** Whether clients see the task: sub-agents and background tasks, but no awaited commands. */
export function isShownTask(task: TaskStateBase): boolean {
  if (task.type === 'session') return false;
  return task.type !== 'local_bash' || task.isBackgrounded === true;
}

/** The messages about a new status: one for the start, one for each change, and a separate one for the end. */
export function toTaskMessages(
  task: TaskStateBase,
  before: TaskStateBase | undefined,
  session: TaskMessageOwners,
  work: Pick<AgentWork, 'of'>,
): readonly SessionMessageBody[] {
  const messages: SessionMessageBody[] = [];
  if (before === undefined) messages.push(started(task, session));
  if (before !== undefined || task.status !== 'pending')
    messages.push({
      type: 'system',
      subtype: 'task_updated',
      task_id: task.id,
      patch: patchOf(task, before),
    });
  if (isTerminalTaskStatus(task.status))
    messages.push({
      type: 'system',
      subtype: 'task_notification',
      task_id: task.id,
      ...(task.toolUseId === undefined ? {} : { tool_use_id: task.toolUseId }),
      status: toNotificationStatus(task.status),
      output_file: task.outputFile,
      summary: summaryOf(task),
      ...given({ usage: work.of(task) }),
    });
  return messages;
}

function started(task: TaskStateBase, session: TaskMessageOwners): SessionMessageBody {
  const { id, type, description, toolUseId, isBackgrounded } = task;
  return {
    type: 'system',
    subtype: 'task_started',
    task_id: id,
    ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
    description,
    task_type: type,
    ...placeOf(task, session),
    spawn_depth: depthOf(task, session.tasks),
    is_backgrounded: isBackgrounded !== false,
  };
}

function patchOf(
  { status, endTime, outcome, isBackgrounded }: TaskStateBase,
  before: TaskStateBase | undefined,
): TaskPatch {
  const moved = before?.isBackgrounded === false && isBackgrounded === true;
  return {
    status,
    ...given({
      end_time: endTime,
      error: outcome?.status === 'failed' ? outcome.failure.message : undefined,
      is_backgrounded: moved ? (true as const) : undefined,
    }),
  };
}

/** The agent of a task, if it has one, and the task that started it, unless the main agent did. */
export function placeOf(
  { id, parentId }: TaskStateBase,
  { agents, options }: TaskMessageOwners,
): Pick<BackgroundTask, 'subagent_type' | 'parent_task_id'> {
  return given({
    subagent_type: liveAgentOf(agents, id)?.parts.type,
    parent_task_id: parentId === options.taskId ? undefined : parentId,
  });
}

/** The depth of a task; 0 for the session. */
function depthOf(task: TaskStateBase, tasks: TaskLookup): number {
  let depth = 0;
  for (
    let each: TaskStateBase | undefined = task;
    each?.parentId !== undefined;
    each = tasks.find(each.parentId)
  )
    depth += 1;
  return depth;
}

function summaryOf({ description, outcome }: TaskStateBase): string {
  switch (outcome?.status) {
    case 'failed':
      return `${description}: ${outcome.failure.message}`;
    case 'killed':
      return `${description}: stopped, ${outcome.reason}`;
    case 'completed':
      return typeof outcome.result === 'string' ? outcome.result : description;
    case undefined:
      return description;
    default:
      return outcome satisfies never;
  }
}
