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
import { keptWorktrees } from '../../../api/teams.js';
import { readDecisions } from '../../demo/read-decisions.js';
import { nameAccounts } from './name-accounts.js';

/** What became of one task. */
export type TaskReport = {
  readonly name: string;
  /** The agent, the tool, or the command with the values of the inputs. */
  readonly by: string;
  /** `interrupted`: it had begun, and was ended before its own end. */
  readonly status: WorkflowStepRecord['status'] | 'interrupted';
  /** Tries in this run: none where an earlier one had done it. */
  readonly attempts: number;
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly tokens: number;
  /** USD; undefined where a price is not known. */
  readonly costUsd?: number;
  readonly calls: number;
  readonly taskIds: readonly string[];
  /** Why it failed, was skipped or was interrupted. */
  readonly why?: string;
  /** What its agents have left in git worktrees. */
  readonly worktrees?: readonly KeptWorktree[];
  /** Of a task that was done; a list where it was done for each entry of one. */
  readonly output?: unknown;
};

/** What became of a team: who did what, how long it took, what it used, and what was decided. */
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
  /** The one that stands for the workflow: errors name the team in its place. */
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

/** What a command says of the inputs is shown with their values. */
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
