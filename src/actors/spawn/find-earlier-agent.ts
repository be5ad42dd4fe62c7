import { existsSync } from 'node:fs';
import { toAgentId, toTaskId, type AgentId } from '../../core/ids.js';
import type { TaskKind, TaskStateBase } from '../../core/task-types.js';
import { AgentEntry } from '../../journal/agent-entries.js';
import { readEnds } from '../../journal/read-ends.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import type { AgentParts } from '../agent/agent-parts.js';
import { toEarlierAgent, type EarlierAgent } from '../resume/earlier-agent.js';
import type { SessionRuntime } from '../session-types.js';
import { TaskRefusedError } from '../task-refused-error.js';

type Started = { readonly agentId: AgentId; readonly task: TaskStateBase };

const AGENTS: ReadonlySet<TaskKind> = new Set(['local_agent', 'in_process_teammate']);

/** How many agents a message names. */
const MOST_NAMED = 5;

/**
 * An agent that has ended, in this process or an earlier one of the session, and that `asker` had started: whoever started
 * it knows what it is.
 *
 * @param wanted its agent id, the id of a task that it was, or its name
 * @throws TaskRefusedError names those that there are
 * @throws JournalDamagedError, ReplayDivergedError
 */
export function findEarlierAgent(
  session: SessionRuntime,
  asker: AgentParts,
  wanted: string,
): EarlierAgent {
  const known = startedWithId(session, wanted);
  const { agentId } =
    known !== undefined && isStartedBy(session, asker, known.task)
      ? known
      : findAmongAll(session, asker, wanted);
  if (session.agents.live.has(agentId))
    throw new TaskRefusedError(
      `the agent ${agentId} is still at work: send it the prompt with SendMessage`,
    );
  const { directory } = session.journal;
  const entries = readWholeJournal(fileOf(session, agentId), AgentEntry);
  if (entries[0]?.type !== 'agent.started')
    throw new TaskRefusedError(`nothing is known of the agent ${agentId}: start a new one`);
  return toEarlierAgent({ directory, agentId, entries });
}

/** The newest task of an agent, or the task, of this id: found without a look at all others. */
function startedWithId(session: SessionRuntime, wanted: string): Started | undefined {
  const agent = toAgentId(wanted);
  const id = agent === null ? toTaskId(wanted) : session.agents.taskOf(agent);
  const task = session.tasks.find(id ?? '');
  return task === undefined ? undefined : toStarted(session, task);
}

/** @throws TaskRefusedError */
function findAmongAll(session: SessionRuntime, asker: AgentParts, wanted: string): Started {
  const all = startedAgents(session);
  const own = all.filter(({ task }) => isStartedBy(session, asker, task));
  const found = pick(session, own, wanted);
  if (found !== undefined) return found;
  const why =
    pick(session, all, wanted) === undefined
      ? `there is no agent "${wanted}"`
      : `"${wanted}" was started by another agent, which alone can resume it`;
  throw new TaskRefusedError(`${why}. ${describe(session, own)}`);
}

/** Every sub-agent that has a journal, newest first; one that was resumed stands there once for each task. */
function startedAgents(session: SessionRuntime): readonly Started[] {
  return session.pastTasks
    .history()
    .flatMap((task) => toStarted(session, task) ?? [])
    .toReversed();
}

function toStarted(session: SessionRuntime, task: TaskStateBase): Started | undefined {
  const agentId = AGENTS.has(task.type) ? session.agents.ofTask(task.id) : undefined;
  return agentId !== undefined && existsSync(fileOf(session, agentId))
    ? { agentId, task }
    : undefined;
}

/** The session's own agent is the same in every process, under a task of its own in each. */
function isStartedBy(session: SessionRuntime, asker: AgentParts, task: TaskStateBase): boolean {
  const parent = session.tasks.find(task.parentId ?? '');
  if (parent === undefined) return false;
  return parent.type === 'session'
    ? asker.depth === 0
    : session.agents.ofTask(parent.id) === asker.id;
}

function pick(
  session: SessionRuntime,
  agents: readonly Started[],
  wanted: string,
): Started | undefined {
  return (
    agents.find(({ agentId, task }) => agentId === wanted || task.id === wanted) ??
    agents.find(({ agentId }) => nameOf(session, agentId) === wanted)
  );
}

function nameOf(session: SessionRuntime, agentId: AgentId): string | undefined {
  const live = session.agents.live.get(agentId);
  if (live !== undefined) return live.parts.name;
  return startOf(session, agentId)?.name;
}

function startOf(session: SessionRuntime, agentId: AgentId) {
  try {
    const line: unknown = JSON.parse(readEnds(fileOf(session, agentId)).first[0] ?? '');
    const started = AgentEntry.safeParse(line).data;
    return started?.type === 'agent.started' ? started : undefined;
  } catch {
    return undefined; // torn or damaged: told where it is to be gone on with
  }
}

function describe(session: SessionRuntime, own: readonly Started[]): string {
  const ended = own.filter(({ agentId }) => !session.agents.live.has(agentId));
  const first = [...new Map(ended.map((one) => [one.agentId, one])).values()].slice(0, MOST_NAMED);
  if (first.length === 0) return 'You have started none that has ended.';
  const names = first.map(({ agentId, task }) => `${agentId} (${task.description})`);
  return `You can resume: ${names.join(', ')}.`;
}

function fileOf(session: SessionRuntime, agentId: AgentId): string {
  return session.journal.pathOf(`agents/${agentId}.jsonl`);
}
