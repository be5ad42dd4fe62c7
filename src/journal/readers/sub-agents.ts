import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentEntry } from '../entries/agent-entries.js';
import { TaskEntry } from '../entries/task-entries.js';
import { readWholeJournal } from '../read-journal.js';
import { isMainAgent, startOf, type FoundSession } from '../sessions/find-session.js';
import { listAgentFiles } from '../storage/agent-files.js';
import { toMessages, type RecordedMessage } from './read-messages.js';

/** The conversation of a sub-agent, and its place in the tree. */
export type SubAgentRecord = {
  readonly messages: readonly RecordedMessage[];
  /** ID of the tool call that started the agent; null if no tool call did. */
  readonly toolUseId: string | null;
  /** ID of the sub-agent that started it; null if the main agent or a program did. */
  readonly parentAgentId: string | null;
};

/** IDs of the sub-agents of a session, in the order of their beginning. */
export function listSubAgents(session: FoundSession): readonly string[] {
  return subAgentFiles(session)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ agentId }) => agentId);
}

/**
 * Read a sub-agent by its ID, or by the ID of a task that it worked on; undefined if there is no such sub-agent.
 *
 * @throws JournalDamagedError
 */
export function readSubAgent(session: FoundSession, id: string): SubAgentRecord | undefined {
  const tasks = readTasks(session);
  const agentId = tasks.find((task) => task.id === id)?.agentId ?? id;
  const file = subAgentFiles(session).find((one) => one.agentId === agentId);
  if (file === undefined) return undefined;
  const task = tasks.find((one) => one.agentId === agentId);
  const parent = tasks.find((one) => one.id === task?.parentId);
  return {
    messages: toMessages(`${session.id}/${agentId}`, readWholeJournal(file.path, AgentEntry)),
    toolUseId: task?.toolUseId ?? null,
    parentAgentId: parent?.kind === 'session' ? null : (parent?.agentId ?? null),
  };
}

function subAgentFiles({ directory }: FoundSession) {
  return listAgentFiles(directory).flatMap(({ agentId, path }) => {
    const start = startOf(path);
    return start === undefined || isMainAgent(start)
      ? []
      : [{ agentId, path, startedAt: start.timestamp }];
  });
}

/** The first line of each task. */
function readTasks({ directory }: FoundSession) {
  const file = join(directory, 'tasks.jsonl');
  const entries = existsSync(file) ? readWholeJournal(file, TaskEntry) : [];
  return entries.flatMap((entry) => ('kind' in entry && entry.kind !== undefined ? [entry] : []));
}
