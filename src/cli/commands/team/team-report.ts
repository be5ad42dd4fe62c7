import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AgentId,
  KeptWorktree,
  SessionHandle,
  TaskId,
  TaskOutcome,
  TeamDefinition,
  WorkflowRecord,
  WorkflowStepRecord,
  WorkflowTask,
} from '../../../api/types.js';
import { totalTokens } from '../../../api/messages.js';
import { given } from '../../../api/given.js';
import { keptWorktrees } from '../../../api/extensions/teams.js';
import { readDecisions } from '../../demo/read-decisions.js';
import { nameAccounts } from './name-accounts.js';

/** The outcome of one task. */
export type TaskReport = {
  readonly name: string;
  /** The agent, the tool, or the command with the values of the inputs. */
  readonly by: string;
  /** `interrupted`: the task was ended while it ran. */
  readonly status: WorkflowStepRecord['status'] | 'interrupted';
  /** Tries in this run: 0 if an earlier run has done the task. */
  readonly attempts: number;
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly tokens: number;
  /** USD; undefined if a price is unknown. */
  readonly costUsd?: number;
  readonly calls: number;
  readonly taskIds: readonly string[];
  /** Why the task failed, was skipped or was interrupted. */
  readonly why?: string;
  /** Git worktrees in which its agents have left work. */
  readonly worktrees?: readonly KeptWorktree[];
  /** The output of a task that is done; a list for a task with `foreach`. */
  readonly output?: unknown;
};

/** The outcome of a team: its tasks, durations, usage and decisions. */
export type TeamReport = {
  readonly team: string;
  readonly file: string;
  readonly status: TaskOutcome['status'];
  readonly why?: string;
  readonly sessionId: string;
  readonly workflowId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly tokens: number;
  readonly costUsd?: number;
  readonly calls: number;
  readonly tasks: readonly TaskReport[];
  readonly decisions: readonly string[];
  readonly journal: string;
};

export async function createTeamReport({
  team,
  file,
  session,
  record,
  agentId,
  outcome,
}: {
  readonly team: TeamDefinition;
  readonly file: string;
  readonly session: Pick<SessionHandle, 'directory' | 'sessionId'>;
  readonly record: WorkflowRecord;
  /** The agent of the workflow: errors name the team instead. */
  readonly agentId: AgentId | undefined;
  readonly outcome: TaskOutcome;
}): Promise<TeamReport> {
  const named = (text: string): string => nameAccounts(text, team.name, agentId);
  const kept = keptWorktrees(session.directory);
  const tasks = record.steps.map((step) => taskReport(step, record, { named, kept }));
  const costs = tasks.map(({ costUsd }) => costUsd);
  const costUsd = costs.includes(undefined) ? undefined : sum(costs.map((cost) => cost ?? 0));
  const why = whyOf(outcome);
  const audit = join(session.directory, 'audit.jsonl');
  return {
    team: team.name,
    file,
    status: outcome.status,
    ...(why === undefined ? {} : { why: named(why) }),
    sessionId: session.sessionId,
    workflowId: record.taskId,
    startedAt: new Date(record.startedAt).toISOString(),
    durationMs: record.endedAt - record.startedAt,
    inputs: record.inputs,
    tokens: sum(tasks.map(({ tokens }) => tokens)),
    ...given({ costUsd }),
    calls: sum(tasks.map(({ calls }) => calls)),
    tasks,
    decisions: existsSync(audit) ? await readDecisions(audit) : [],
    journal: session.directory,
  };
}

function taskReport(
  step: WorkflowStepRecord,
  record: WorkflowRecord,
  {
    named,
    kept,
  }: {
    readonly named: (text: string) => string;
    readonly kept: ReadonlyMap<TaskId, KeptWorktree>;
  },
): TaskReport {
  const { name, attempts, startedAt, endedAt, usage, costUsd, calls, failure, reason } = step;
  const why = failure?.message ?? reason;
  const status = step.status === 'skipped' && startedAt !== undefined ? 'interrupted' : step.status;
  const outputs = Object.values(record.outputs[name] ?? {});
  const worktrees = step.tasks.flatMap((id) => kept.get(id) ?? []);
  return {
    name,
    by: withInputs(whoDoes(record.definition.tasks[name]), record.inputs),
    status,
    attempts,
    ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() }),
    ...(startedAt === undefined || endedAt === undefined
      ? {}
      : { durationMs: endedAt - startedAt }),
    tokens: totalTokens(usage),
    ...given({ costUsd }),
    calls,
    taskIds: step.tasks,
    ...(why === undefined ? {} : { why: named(why) }),
    ...(worktrees.length === 0 ? {} : { worktrees }),
    ...(status === 'done' ? { output: step.entries === undefined ? outputs[0] : outputs } : {}),
  };
}

function whoDoes({ agent, tool, command }: Partial<WorkflowTask> = {}): string {
  if (agent !== undefined) return `agent ${agent}`;
  if (tool !== undefined) return `tool ${tool}`;
  return typeof command === 'string' ? command : (command ?? []).join(' ');
}

/** A command with the values of its inputs. */
function withInputs(text: string, inputs: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{\s*inputs\.([\w-]+)\s*\}\}/g, (written, name: string) =>
    Object.hasOwn(inputs, name) ? (inputs[name] ?? written) : written,
  );
}

function whyOf(outcome: TaskOutcome): string | undefined {
  switch (outcome.status) {
    case 'completed':
      return undefined;
    case 'failed':
      return outcome.failure.message;
    case 'killed':
      return `stopped: ${outcome.reason}`;
    default:
      return outcome satisfies never;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
