import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../core/errors.js';
import type { Failure } from '../../core/failure.js';
import type { TaskId } from '../../core/ids.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/tasks/usage.js';
import type {
  WorkflowDefinition,
  WorkflowInputs,
  WorkflowOutputs,
  WorkflowTask,
} from '../../workflow/workflow-definition.js';
import { needsOf } from '../../workflow/workflow-expressions.js';
import { readWholeJournal } from '../read-journal.js';
import { WorkflowEntry } from '../entries/workflow-entries.js';
import { requireText } from '../../core/text/require-text.js';

/** Last state of one step of a workflow, with its time and its cost. Times are epoch ms. */
export type WorkflowStepRecord = {
  /** Key of the step in `tasks` of the definition. */
  readonly name: string;
  /** The status of the step. */
  readonly status: Extract<WorkflowEntry, { type: 'step.status' }>['status'];
  /** Why the step failed. */
  readonly failure?: Failure;
  /** Why it was skipped. */
  readonly reason?: string;
  /** Number of entries; absent without `foreach`. */
  readonly entries?: number;
  /** Attempts in this run; 0 if an earlier run had done the step. */
  readonly attempts: number;
  /** Tasks that worked for the step. */
  readonly tasks: readonly TaskId[];
  /**
   * Numbers of entries that have begun and did not end. If the process has ended, they may have done half of their
   * work.
   */
  readonly underWay: readonly number[];
  /** When the step began, epoch ms. */
  readonly startedAt?: number;
  /** When the step ended, epoch ms. */
  readonly endedAt?: number;
  /** Tokens of the step's agents. */
  readonly usage: Usage;
  /** US dollars; undefined if a price is not known. */
  readonly costUsd: number | undefined;
  /** Model requests of the step's agents. */
  readonly calls: number;
};

/** One run of a workflow, from its journal. */
export type WorkflowRecord = {
  /** ID of the workflow's task. */
  readonly taskId: TaskId;
  /** The work of the workflow, in a few words for people. */
  readonly description: string;
  /** Steps of the workflow. */
  readonly definition: WorkflowDefinition;
  /** Values that it was started with. */
  readonly inputs: WorkflowInputs;
  /** The run that this one resumed. */
  readonly from: TaskId | undefined;
  /** When the run began, epoch ms. */
  readonly startedAt: number;
  /** When the newest line was written, epoch ms. */
  readonly endedAt: number;
  /** Steps in the order of the definition. */
  readonly steps: readonly WorkflowStepRecord[];
  /** Outputs of steps that are done, in this run and before it. */
  readonly outputs: WorkflowOutputs;
};

/**
 * Read a run of a workflow in a session.
 *
 * @param directory folder of the session's journal
 * @param id task of the run; the newest run if absent
 * @throws UsageError if the session has no such run
 * @throws JournalDamagedError
 */
export function readWorkflow(directory: string, id?: string): WorkflowRecord {
  requireText('readWorkflow: directory', directory);
  const folder = join(directory, 'workflows');
  const runs = existsSync(folder)
    ? readdirSync(folder).filter((name) => id === undefined || name === `${id}.jsonl`)
    : [];
  const records = runs.map((name) =>
    toWorkflowRecord(readWholeJournal(join(folder, name), WorkflowEntry)),
  );
  const [newest] = records
    .filter((record) => record !== undefined)
    .toSorted((a, b) => b.startedAt - a.startedAt);
  if (newest !== undefined) return newest;
  throw new UsageError(
    id === undefined
      ? 'This session has no workflow to resume.'
      : `This session has run no workflow ${id}.`,
  );
}

/** The run from the lines of its journal; undefined if it was cut off before its first line. */
export function toWorkflowRecord(entries: readonly WorkflowEntry[]): WorkflowRecord | undefined {
  const [started] = entries;
  if (started?.type !== 'workflow.started') return undefined;
  const { taskId, description, definition, inputs, from, done = {} } = started;
  const outputs = new Map(
    Object.entries(done).map(([name, one]) => [name, new Map(Object.entries(one))]),
  );
  const steps = new Map(Object.keys(definition.tasks).map((name) => [name, newStep(name)]));
  for (const entry of entries) {
    if (entry.type === 'workflow.started') continue;
    const step = steps.get(entry.step);
    if (step !== undefined) steps.set(entry.step, withEntry(step, entry));
    if (entry.type !== 'attempt.ended' || entry.outcome.status !== 'completed') continue;
    const known = outputs.get(entry.step) ?? new Map<string, unknown>();
    outputs.set(entry.step, known.set(String(entry.entry), entry.outcome.result));
  }
  return {
    taskId,
    description,
    definition,
    inputs,
    from,
    startedAt: started.timestamp,
    endedAt: entries.at(-1)?.timestamp ?? started.timestamp,
    steps: [...steps.values()],
    outputs: Object.fromEntries(
      [...outputs].map(([name, known]) => [name, Object.fromEntries(known)]),
    ),
  };
}

/**
 * The outputs that a resumed run keeps: of finished tasks whose definition has not changed, and whose needs are kept
 * too.
 */
export function outputsToKeep(
  { definition: before, outputs, steps }: WorkflowRecord,
  definition: WorkflowDefinition,
): WorkflowOutputs {
  const isDone = new Map(steps.map(({ name, status }) => [name, status === 'done']));
  const kept = new Map<string, boolean>();
  const isSame = (name: string): boolean =>
    isDeepStrictEqual(workOf(before.tasks[name]), workOf(definition.tasks[name]));
  /** Whether all its needs are kept: then its finished entries are kept, too. */
  const hasNeeds = (name: string): boolean => {
    const task = definition.tasks[name];
    return task !== undefined && isSame(name) && needsOf(task).every(counts);
  };
  const counts = (name: string): boolean => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const is = isDone.get(name) === true && hasNeeds(name);
    kept.set(name, is);
    return is;
  };
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => hasNeeds(name)));
}

/** The part of a task's definition that its result depends on: not its retries and budgets. */
function workOf(task: Partial<WorkflowTask> = {}): Partial<WorkflowTask> {
  const { description, timeout, retry, concurrency, budget, ...work } = task;
  return work;
}

function newStep(name: string): WorkflowStepRecord {
  const nothing = { attempts: 0, tasks: [], underWay: [], usage: NO_USAGE, costUsd: 0, calls: 0 };
  return { name, status: 'pending', ...nothing };
}

function withEntry(
  step: WorkflowStepRecord,
  entry: Exclude<WorkflowEntry, { type: 'workflow.started' }>,
): WorkflowStepRecord {
  const at = entry.timestamp;
  switch (entry.type) {
    case 'attempt.began':
      return {
        ...step,
        tasks: [...step.tasks, entry.taskId],
        underWay: [...step.underWay, entry.entry],
      };
    case 'attempt.ended': {
      const { usage = NO_USAGE, calls = 0 } = entry;
      const costUsd = calls === 0 ? 0 : entry.costUsd;
      return {
        ...step,
        attempts: step.attempts + 1,
        underWay: step.underWay.filter((one) => one !== entry.entry),
        usage: addUsage(step.usage, usage),
        calls: step.calls + calls,
        costUsd:
          costUsd === undefined || step.costUsd === undefined ? undefined : step.costUsd + costUsd,
      };
    }
    case 'step.status': {
      const { status, failure, reason, entries } = entry;
      const time =
        status === 'running' ? { startedAt: at } : status === 'pending' ? {} : { endedAt: at };
      return {
        ...step,
        status,
        ...time,
        ...(failure === undefined ? {} : { failure }),
        ...(reason === undefined ? {} : { reason }),
        ...(entries === undefined ? {} : { entries }),
      };
    }
    default:
      return entry satisfies never;
  }
}
