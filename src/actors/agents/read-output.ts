import { join } from 'node:path';
import type { AgentId, TaskId } from '../../core/ids.js';
import { readSaid } from '../../journal/readers/agent-log.js';
import type { SessionFiles } from '../../journal/journal.js';
import { pieceFrom, readIfThere } from '../../processes/output/tail-file.js';
import type { TaskLookup } from '../tasks/task-registry.js';

/** The places of task output. */
export type OutputOwners = {
  readonly agents: { ofTask(id: TaskId): AgentId | undefined };
  readonly tasks: Pick<TaskLookup, 'find'>;
  readonly journal: SessionFiles;
};

/**
 * Read the output of a task from this byte on: the text of a session is in its agent's journal, all other output is in
 * a file.
 */
export async function readOutput(
  { agents, tasks, journal }: OutputOwners,
  id: TaskId,
  from: number,
  maxBytes?: number,
): Promise<{ readonly text: string; readonly next: number }> {
  const { directory } = journal;
  const task = tasks.find(id);
  const agentId = task?.type === 'session' ? agents.ofTask(id) : undefined;
  if (agentId === undefined)
    return readIfThere(task?.outputFile ?? join(directory, `output/${id}`), from, maxBytes);
  const said = readSaid(join(directory, journal.agentFile(agentId)), agentId, id);
  return pieceFrom(Buffer.from(said), from, maxBytes);
}
