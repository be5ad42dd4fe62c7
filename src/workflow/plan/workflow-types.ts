import type { WorkForce, WorkStop } from '../../core/events.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { WorkOutcome } from '../../core/task-types.js';
import type {
  WorkflowDefinition,
  WorkflowInputs,
  WorkflowOutputs,
} from '../workflow-definition.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';

/** One attempt of one entry of a step. A step without `foreach` has one entry. */
export type Attempt = {
  readonly step: string;
  readonly entry: number;
  /** Counts from 1. */
  readonly attempt: number;
};

/** State of one entry of a step. */
export type EntryState =
  | { readonly status: 'waiting' }
  | {
      readonly status: 'running';
      /** Number of the attempt, from 1. */
      readonly attempt: number;
      /** Why the attempt is being ended; absent if it is not. */
      readonly ends?: Failure;
    }
  | {
      readonly status: 'delayed';
      /** Number of the attempt that failed; the next one waits for its retry delay. */
      readonly attempt: number;
    }
  | {
      readonly status: 'done';
      /** Output of the entry. */
      readonly output: unknown;
    }
  | {
      readonly status: 'failed';
      /** Why the last attempt failed. */
      readonly failure: Failure;
    };

/** State of one step of a workflow. */
export type StepState =
  | { readonly status: 'pending' }
  | {
      readonly status: 'running';
      /** Entries of `foreach`; undefined without it. */
      readonly items: readonly unknown[] | undefined;
      /** State of each entry of a `foreach`; one entry without it. */
      readonly entries: readonly EntryState[];
    }
  | {
      readonly status: 'done';
      /** Output of the step. */
      readonly output: unknown;
    }
  | {
      readonly status: 'failed';
      /** Why the step failed. */
      readonly failure: Failure;
    }
  | {
      readonly status: 'skipped';
      /** Why the step was skipped or ended. */
      readonly reason: string;
    };

/** The work of one attempt, with its values filled in. */
export type StepWork =
  | {
      readonly kind: 'agent';
      readonly agent: string;
      readonly prompt: string;
      readonly model?: string | undefined;
      readonly isolation?: 'worktree' | undefined;
      readonly budget?: TaskBudget | undefined;
    }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** The effects of the machine. */
export type WorkflowEffect =
  | ({
      readonly type: 'begin';
      readonly work: StepWork;
      /** For people. */
      readonly label: string;
      readonly timeoutMs: number | undefined;
    } & Attempt)
  /** The next attempt is due later. */
  | ({ readonly type: 'delay'; readonly delayMs: number } & Attempt)
  | ({ readonly type: 'end'; readonly reason: string } & Attempt)
  | { readonly type: 'tell'; readonly step: string; readonly state: StepState };

export type WorkflowInput = {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
  readonly definition: WorkflowDefinition;
  readonly inputs: WorkflowInputs;
  /** Agents of this workflow only. */
  readonly agents?: readonly AgentDefinition[];
  /** Outputs of entries that an earlier run has done, by step: they do not run again. */
  readonly done?: WorkflowOutputs;
  /** Most agents at work at once; absent without a limit. */
  readonly agentsAtOnce?: number;
};

export type WorkflowContext = WorkflowInput & {
  /** The needs of each step: those in its definition, and those of its expressions. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Set once: the first reason to end wins. */
  readonly outcome: WorkOutcome | undefined;
};

export type WorkflowEvent =
  /** An attempt has ended, and its task with it. */
  | ({ readonly type: 'attempt.ended'; readonly outcome: WorkOutcome } & Attempt)
  | ({ readonly type: 'attempt.timedOut'; readonly timeoutMs: number } & Attempt)
  /** The delay before the attempt is over. */
  | ({ readonly type: 'attempt.due' } & Attempt)
  | WorkStop
  | WorkForce;
