import { z } from 'zod';
import type { DeepImmutable } from '../../core/json/deep-immutable.js';
import { TaskNotification } from '../../core/events.js';
import { Failure } from '../../core/failure.js';
import { TaskId } from '../../core/ids.js';
import { Usage } from '../../core/tasks/usage.js';
import { WorkflowDefinition } from '../../workflow/workflow-definition.js';

/** The journal of one workflow: its definition, each attempt, and the status of its steps. */

const Outputs = z.lazy(() => z.record(z.string(), z.record(z.string(), z.unknown())));

const Started = z.lazy(() =>
  z.object({
    type: z.literal('workflow.started'),
    taskId: TaskId,
    description: z.string(),
    definition: WorkflowDefinition,
    inputs: z.record(z.string(), z.string()),
    /** The resumed run, and its finished steps. */
    from: TaskId.optional(),
    done: Outputs.optional(),
    timestamp: z.number(),
  }),
);

const place = { step: z.string(), entry: z.int(), attempt: z.int() };

const Began = z.lazy(() =>
  z.object({
    type: z.literal('attempt.began'),
    ...place,
    taskId: TaskId,
    timestamp: z.number(),
  }),
);

const Ended = z.lazy(() =>
  z.object({
    type: z.literal('attempt.ended'),
    ...place,
    /** Absent if no task could be started. */
    taskId: TaskId.optional(),
    startedAt: z.number(),
    outcome: TaskNotification.shape.outcome,
    /** Usage of its task and everything below it, if there were model requests; in USD. */
    usage: Usage.optional(),
    costUsd: z.number().optional(),
    calls: z.int().optional(),
    timestamp: z.number(),
  }),
);

const StepStatus = z.lazy(() =>
  z.object({
    type: z.literal('step.status'),
    step: z.string(),
    status: z.enum(['pending', 'running', 'done', 'failed', 'skipped']),
    failure: Failure.optional(),
    reason: z.string().optional(),
    /** For a `foreach`. */
    entries: z.int().optional(),
    timestamp: z.number(),
  }),
);

export const WorkflowEntry = z.lazy(() =>
  z.discriminatedUnion('type', [Started, Began, Ended, StepStatus]),
);
export type WorkflowEntry = DeepImmutable<z.infer<typeof WorkflowEntry>>;
