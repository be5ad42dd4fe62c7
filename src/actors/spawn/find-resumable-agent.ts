import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import { existsSync } from 'node:fs';
import { toAgentId, toTaskId, type AgentId } from '../../core/ids.js';
import type { TaskKind, TaskStateBase } from '../../core/task-types.js';
import { AgentEntry } from '../../journal/entries/agent-entries.js';
import { readEnds } from '../../journal/storage/read-ends.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { toResumableAgent, type ResumableAgent } from '../agents/conversation/resumable-agent.js';
import type { SessionFiles } from '../../journal/journal.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import type { PastTasks } from '../tasks/past-tasks.js';
import type { LiveTasks, TaskLookup } from '../tasks/task-registry.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';

/** The sources for a search of ended agents. */
export type ResumableOwners = {
  readonly agents: AgentDirectory;
  readonly tasks: TaskLookup & LiveTasks;
  readonly pastTasks: PastTasks;
  readonly journal: SessionFiles;
};

type Started = { readonly agentId: AgentId; readonly task: TaskStateBase };

const AGENTS: ReadonlySet<TaskKind> = new Set(['local_agent', 'in_process_teammate']);

/** Most agents that a message names. */
const MOST_NAMED = 5;

/**
 * Find an ended agent that `asker` had started, in this process or an earlier one of the session. Only the parent of an
 * agent may resume it.
 *
 * @param wanted its agent ID, the ID of one of its tasks, or its name
 * @throws TaskRefusedError with the names of known agents
 * @throws JournalDamagedError, ReplayDivergedError
 */
export function findResumableAgent(
  owners: ResumableOwners,
  asker: AgentIdentity,
  wanted: string,
): ResumableAgent {
  const known = startedWithId(owners, wanted);
  const { agentId } =
    known !== undefined && isStartedBy(owners, asker, known.task)
      ? known
      : findAmongAll(owners, asker, wanted);
  if (owners.agents.live.has(agentId))
    throw new TaskRefusedError(
      `the agent ${agentId} is still at work: send it the prompt with SendMessage`,
    );
  const { directory } = owners.journal;
  const entries = readWholeJournal(fileOf(owners, agentId), AgentEntry);
  if (entries[0]?.type !== 'agent.started')
    throw new TaskRefusedError(`nothing is known of the agent ${agentId}: start a new one`);
  return toResumableAgent({ directory, agentId, entries });
}

/** The newest task of an agent, or the task, with this ID, without a search through all. */
function startedWithId(owners: ResumableOwners, wanted: string): Started | undefined {
  const agent = toAgentId(wanted);
  const id = agent === null ? toTaskId(wanted) : owners.agents.taskOf(agent);
  const task = owners.tasks.find(id ?? '');
  return task === undefined ? undefined : toStarted(owners, task);
}

/** @throws TaskRefusedError */
function findAmongAll(owners: ResumableOwners, asker: AgentIdentity, wanted: string): Started {
  const all = startedAgents(owners);
  const own = all.filter(({ task }) => isStartedBy(owners, asker, task));
  const found = pick(owners, own, wanted);
  if (found !== undefined) return found;
  const why =
    pick(owners, all, wanted) === undefined
      ? `there is no agent "${wanted}"`
      : `"${wanted}" was started by another agent, which alone can resume it`;
  throw new TaskRefusedError(`${why}. ${describe(owners, own)}`);
}

/** Every sub-agent with a journal, newest first; a resumed agent is listed once for each task. */
function startedAgents(owners: ResumableOwners): readonly Started[] {
  return owners.pastTasks
    .history()
    .flatMap((task) => toStarted(owners, task) ?? [])
    .toReversed();
}

function toStarted(owners: ResumableOwners, task: TaskStateBase): Started | undefined {
  const agentId = AGENTS.has(task.type) ? owners.agents.ofTask(task.id) : undefined;
  return agentId !== undefined && existsSync(fileOf(owners, agentId))
    ? { agentId, task }
    : undefined;
}

/** The main agent is the same in every process, with another task in each. */
function isStartedBy(owners: ResumableOwners, asker: AgentIdentity, task: TaskStateBase): boolean {
  const parent = owners.tasks.find(task.parentId ?? '');
  if (parent === undefined) return false;
  return parent.type === 'session'
    ? asker.depth === 0
    : owners.agents.ofTask(parent.id) === asker.id;
}

function pick(
  owners: ResumableOwners,
  agents: readonly Started[],
  wanted: string,
): Started | undefined {
  return (
    agents.find(({ agentId, task }) => agentId === wanted || task.id === wanted) ??
    agents.find(({ agentId }) => nameOf(owners, agentId) === wanted)
  );
}

function nameOf(owners: ResumableOwners, agentId: AgentId): string | undefined {
  const live = owners.agents.live.get(agentId);
  if (live !== undefined) return live.parts.name;
  return startOf(owners, agentId)?.name;
}

function startOf(owners: ResumableOwners, agentId: AgentId) {
  try {
    const line: unknown = JSON.parse(readEnds(fileOf(owners, agentId))?.first[0] ?? '');
    const started = AgentEntry.safeParse(line).data;
    return started?.type === 'agent.started' ? started : undefined;
  } catch {
    return undefined; // a damaged journal is reported only if this agent is resumed
  }
}

function describe(owners: ResumableOwners, own: readonly Started[]): string {
  const ended = own.filter(({ agentId }) => !owners.agents.live.has(agentId));
  const first = [...new Map(ended.map((one) => [one.agentId, one])).values()].slice(0, MOST_NAMED);
  if (first.length === 0) return 'You have started none that has ended.';
  const names = first.map(({ agentId, task }) => `${agentId} (${task.description})`);
  return `You can resume: ${names.join(', ')}.`;
}

function fileOf(owners: ResumableOwners, agentId: AgentId): string {
  return owners.journal.pathOf(owners.journal.agentFile(agentId));
}
