import type { TaskId } from '../../../core/ids.js';
import { toNotificationStatus } from '../../../core/text/status-words.js';
import { isTerminalTaskStatus, type TaskStateBase } from '../../../core/task-types.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import type { AgentDirectory } from '../../agents/agent-directory.js';
import type { TaskLookup } from '../../tasks/task-registry.js';

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
  isNew: boolean,
  session: TaskMessageOwners,
): readonly SessionMessageBody[] {
  const messages: SessionMessageBody[] = [];
  if (isNew) messages.push(started(task, session));
  if (!isNew || task.status !== 'pending')
    messages.push({
      type: 'system',
      subtype: 'task_updated',
      task_id: task.id,
      patch: { status: task.status },
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
    });
  return messages;
}

function started(task: TaskStateBase, session: TaskMessageOwners): SessionMessageBody {
  const { id, type, description, toolUseId, parentId } = task;
  const agentId = session.agents.ofTask(id);
  const agent = agentId === undefined ? undefined : session.agents.live.get(agentId);
  const isBelowSession = parentId === undefined || parentId === session.options.taskId;
  return {
    type: 'system',
    subtype: 'task_started',
    task_id: id,
    ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
    description,
    ...(agent === undefined ? {} : { subagent_type: agent.parts.type }),
    task_type: type,
    ...(isBelowSession ? {} : { parent_task_id: parentId }),
    spawn_depth: depthOf(task, session.tasks),
  };
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
