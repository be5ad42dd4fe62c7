import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import type { SessionHandle, TaskStateBase } from '../../api/types.js';
import { describeAge } from '../output/describe-time.js';
import { toTable, type Column } from '../output/table.js';

const HEAD = ['task', 'state', 'time', 'tokens', 'what it does', 'id'] as const;
const COLUMNS: readonly Column[] = [
  {},
  {},
  { isOptional: true },
  { isOptional: true },
  { least: 16, wraps: true },
  {},
];
const MOST_CHARS = 80;

/** The names of the kinds of tasks for people. */
const NAMES: Readonly<Record<TaskStateBase['type'], string>> = {
  session: 'session',
  local_bash: 'command',
  local_agent: 'agent',
  remote_agent: 'remote agent',
  in_process_teammate: 'teammate',
  local_workflow: 'workflow',
  local_tool: 'tool call',
  monitor_mcp: 'monitor',
  dream: 'notes',
};

/**
 * `/tasks`: the tasks of a session as a table, those that have not ended first. A command that the agent has waited for
 * until its end is left out: the conversation has it.
 */
export async function describeTasks(
  session: Pick<SessionHandle, 'task' | 'tasks'>,
  { width, now }: { readonly width: number; readonly now: number },
): Promise<string> {
  const tasks = session.tasks().filter(isShown);
  if (tasks.length === 0) return 'There are no tasks.';
  const rows = [...tasks.filter(isLive), ...tasks.filter((task) => !isLive(task))].map((task) => {
    const { id, type, status, startTime, endTime = now, description, isBackgrounded } = task;
    const usage = session.task(id)?.usage().total.usage;
    const tokens = usage === undefined ? 0 : totalTokens(usage);
    return [
      NAMES[type],
      isLive(task) && isBackgrounded === true ? 'in the background' : status,
      describeAge(endTime - startTime),
      tokens === 0 ? '' : String(tokens),
      oneLine(description, MOST_CHARS),
      id,
    ];
  });
  return (await toTable([HEAD, ...rows], { columns: COLUMNS, width })).join('\n');
}

function isShown(task: TaskStateBase): boolean {
  const { type, isBackgrounded } = task;
  return type !== 'session' && (isLive(task) || type !== 'local_bash' || isBackgrounded === true);
}

function isLive({ status }: TaskStateBase): boolean {
  return status === 'running' || status === 'pending';
}
