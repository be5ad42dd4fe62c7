import type { SessionId, TaskId } from '../../core/ids.js';
import type { ModelCall } from '../../core/tasks/usage.js';
import { readPastCalls } from '../../journal/readers/past-calls.js';
import { readWholeJournal } from '../../journal/read-journal.js';
import { TaskEntry, toPastTasks } from '../../journal/entries/task-entries.js';
import { readWorkflow } from '../../journal/readers/workflow-record.js';
import type { SessionFiles } from '../../journal/journal.js';

/**
 * The model requests below a run of a workflow and below the runs that it resumed, from the journals of their agents,
 * complete even if a run was cut off.
 *
 * @throws JournalDamagedError
 */
export function callsOfRuns(
  {
    journal,
    options,
  }: { readonly journal: SessionFiles; readonly options: { readonly id: SessionId } },
  run: TaskId,
): readonly ModelCall[] {
  const { directory } = journal;
  const below = new Set<TaskId | undefined>();
  for (let id: TaskId | undefined = run; id !== undefined; id = readWorkflow(directory, id).from)
    below.add(id);
  const agents = new Set<string>();
  const entries = readWholeJournal(journal.pathOf('tasks.jsonl'), TaskEntry);
  for (const [id, { state, agentId }] of toPastTasks(entries, () => '')) {
    if (!below.has(state.parentId)) continue; // a parent always begins before its children
    below.add(id);
    if (agentId !== undefined) agents.add(agentId);
  }
  return [...readPastCalls({ id: options.id, directory })].flatMap(([agent, calls]) =>
    agents.has(agent) ? calls : [],
  );
}
