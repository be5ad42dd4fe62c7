import type { TaskInput } from '../../core/events.js';
import type { TaskId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import { isBackgroundTask, type TaskKind, type TaskStateBase } from '../../core/task-types.js';
import type { CronEntry } from '../../core/time/cron-entry.js';
import type {
  BackgroundTaskSummary,
  RemainingWork,
  SessionCronSummary,
} from '../../extensions/hooks/turn-hook-inputs.js';
import { liveAgentOf, type AgentDirectory } from '../agents/agent-directory.js';
import type { SharedServices } from '../agents/session/shared-services.js';
import type { LiveTasks, TaskLookup } from '../tasks/task-registry.js';

export type RemainingWorkOwners = {
  readonly tasks: Pick<LiveTasks, 'actorOf'> & Pick<TaskLookup, 'list'>;
  readonly agents: Pick<AgentDirectory, 'live' | 'ofTask'>;
  readonly shared: { readonly scheduler: Pick<SharedServices['scheduler'], 'list'> };
};

const LONGEST_TEXT = 1_000;

/** The names of Claude Code for kinds of tasks. */
const LABELS: Partial<Readonly<Record<TaskKind, string>>> = {
  local_bash: 'shell',
  local_agent: 'subagent',
  in_process_teammate: 'teammate',
  local_workflow: 'workflow',
  monitor_mcp: 'monitor',
  remote_agent: 'cloud session',
};

/** The tasks in the background and the scheduled prompts of a session. */
export async function remainingWork({
  tasks,
  agents,
  shared,
}: RemainingWorkOwners): Promise<RemainingWork> {
  const specOf = (id: TaskId): TaskInput['spec'] =>
    tasks.actorOf(id)?.getSnapshot().context.input.spec;
  const prompts = await Promise.all([...agents.live.keys()].map(shared.scheduler.list));
  return {
    background_tasks: tasks
      .list()
      .filter((task) => task.type !== 'session' && isBackgroundTask(task))
      .map((task) =>
        toBackgroundTask(task, specOf(task.id), liveAgentOf(agents, task.id)?.parts.type),
      ),
    session_crons: prompts.flat().map(toScheduledPrompt),
  };
}

function toBackgroundTask(
  { id, type, status, description }: TaskStateBase,
  spec: unknown,
  agentType: string | undefined,
): BackgroundTaskSummary {
  const head = { id, type: LABELS[type] ?? type, status, description: cut(description) };
  const { command, server, tool } = Object(spec) as Readonly<Record<string, string | undefined>>; // specs of commands and monitors
  if (type === 'local_bash') return { ...head, ...given({ command: command && cut(command) }) };
  if (type === 'local_agent') return { ...head, ...given({ agent_type: agentType }) };
  return type === 'monitor_mcp' ? { ...head, ...given({ server, tool }) } : head;
}

function toScheduledPrompt({ id, cron, recurring, prompt }: CronEntry): SessionCronSummary {
  return { id, schedule: cron, recurring, prompt: cut(prompt) };
}

function cut(text: string): string {
  const more = text.length - LONGEST_TEXT;
  return more > 0 ? `${text.slice(0, LONGEST_TEXT)}… [+${more} chars]` : text;
}
