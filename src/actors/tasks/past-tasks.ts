import { inFolder } from '../../files/in-folder.js';
import { toTaskId, type AgentId, type TaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';
import type { SessionFiles } from '../../journal/journal.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { TaskEntry, toPastTasks, type PastTask } from '../../journal/entries/task-entries.js';
import { createTaskIndex } from '../../journal/readers/task-index.js';
import type { TaskMemory } from './task-memory.js';

/** The tasks of earlier processes, and those that have left memory. Nothing is read before a task has left. */
export interface PastTasks {
  /** Tasks of the processes before this one; all have ended. */
  readonly earlier: readonly PastTask[];
  find(id: string): PastTask | undefined;
  /** The newest task of an agent. */
  taskOfAgent(id: AgentId): TaskId | undefined;
  /** Every task ever, those in memory included. */
  history(): readonly TaskStateBase[];
}

export function createPastTasks(
  journal: SessionFiles,
  memory: TaskMemory,
  earlier: readonly PastTask[],
): PastTasks {
  const outputOf = (id: TaskId): string => inFolder(journal.directory, `output/${id}`);
  const index = createTaskIndex(inFolder(journal.directory, 'tasks.jsonl'), outputOf);
  return {
    earlier,
    find(id) {
      const known = memory.hasForgotten() ? toTaskId(id) : null;
      if (known === null || memory.tasks.has(known)) return undefined;
      const past = index.find(known);
      if (past === undefined) return undefined;
      return { ...past, state: { ...past.state, notified: past.state.isBackgrounded === true } };
    },
    taskOfAgent: (id) => (memory.hasForgotten() ? index.taskOfAgent(id) : undefined),
    history() {
      if (!memory.hasForgotten()) return [...memory.tasks.values()];
      const entries = readWholeJournal(journal.pathOf('tasks.jsonl'), TaskEntry);
      return [...toPastTasks(entries, outputOf).values()].map(
        ({ state }) => memory.tasks.get(state.id) ?? state,
      );
    },
  };
}
