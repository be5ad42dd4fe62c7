import { z } from 'zod';
import { DURATION_PATTERN } from '../core/time/duration.js';
import { strictObject } from '../core/text/strict-object.js';
import { TaskBudget } from '../core/tasks/task-budget.js';

/** Name of a task, an agent or an input. */
export const Name = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, 'a name has letters, digits, "_" and "-", and begins with a letter');

/** A record with names as keys. Rejects `__proto__`, which zod would drop silently. */
export function recordOf<T extends z.ZodType>(names: z.ZodString, value: T) {
  return z.preprocess(
    (given: Readonly<Record<string, z.input<T>>>, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
        context.addIssue({
          code: 'custom',
          path: ['__proto__'],
          message: '"__proto__" is not a valid name: choose another one',
        });
      return given;
    },
    z.record(names, value),
  );
}

/** The text of a condition. */
const Condition = z.string().min(1);

const Duration = z
  .string()
  .regex(DURATION_PATTERN, 'a duration is a number with ms, s, m or h, such as 90s');

const Retry = strictObject({
  times: z.int().min(0).max(100).describe('How often it is tried again'),
  delay: Duration.optional().describe('Delay before the first retry; 1s if absent'),
  factor: z.number().min(1).max(10).optional().describe('Factor between the delays; 2 if absent'),
});

/** How often a failed step is tried again, and with which delay. */
type WorkflowRetry = {
  /** Further attempts after the first one: 0 to 100. */
  readonly times: number;
  /** Wait before the first retry, such as `500ms` or `90s`; `1s` if absent. A wait is an hour at most. */
  readonly delay?: string | undefined;
  /** Each wait is this many times the one before: 1 to 10; 2 if absent. */
  readonly factor?: number | undefined;
};

/**
 * One step of a workflow: an agent with a `prompt`, a `tool` with its `input`, or a `command`; exactly one of the three.
 * `${{ … }}` in a prompt, an input or a command is replaced by a value: an input, the output of another step, an entry of
 * `foreach`.
 */
export type WorkflowTask = {
  /** The work of the step, for people. */
  readonly description?: string | undefined;

  /** Name of an agent: one of the workflow, or one that the session has. Needs `prompt`. */
  readonly agent?: string | undefined;
  /** First user message of the agent. The output of the step is the agent's last text. */
  readonly prompt?: string | undefined;
  /** ID or alias of a model; that of the agent's definition if absent. */
  readonly model?: string | undefined;
  /** `worktree`: the agent works in a new git worktree. */
  readonly isolation?: 'worktree' | undefined;
  /** Limits of the agent and everything below it. */
  readonly budget?: TaskBudget | undefined;

  /** Name of a tool, which is called once. The output of the step is the text of its result. */
  readonly tool?: string | undefined;
  /** Input of the tool. A text that is one `${{ … }}` and nothing else becomes its value, whatever that is. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;

  /**
   * A command line for the tool Bash, or its words, which need no quotes. A value in a command line is one quoted word. The
   * output of the step is stdout, without the last line ends.
   */
  readonly command?: string | readonly string[] | undefined;

  /** Names of steps that must have ended before. Steps that an expression reads are added. */
  readonly needs?: readonly string[] | undefined;
  /** A condition such as `tasks.test.status == 'failed'`. If it is false, the step is skipped. */
  readonly when?: string | undefined;
  /** A list, or an expression that is one: the step runs once for each entry, which is `${{ item }}`. 10,000 at most. */
  readonly foreach?: string | readonly unknown[] | undefined;
  /** How many entries of `foreach` run at once: 1 to 1,000; 10 if absent. */
  readonly concurrency?: number | undefined;
  /** Further attempts after a failure: 0 to 100, or with waits. None if absent. */
  readonly retry?: number | WorkflowRetry | undefined;
  /** Limit of one attempt, such as `10m`. The attempt is ended, and has failed with `STEP_TIMEOUT`. */
  readonly timeout?: string | undefined;
};
export const WorkflowTask = strictObject({
  description: z.string().min(1).optional().describe('A description, for people'),

  agent: z.string().min(1).optional().describe('Name of the agent'),
  prompt: z.string().min(1).optional().describe('The prompt of the agent; ${{ … }} as in inputs'),
  model: z.string().min(1).optional().describe("Replaces the agent's own model"),
  isolation: z.literal('worktree').optional().describe('The agent works in its own git worktree'),
  budget: TaskBudget.optional().describe('The budget of the agent and all agents below it'),

  tool: z.string().min(1).optional().describe('Name of the tool to call once'),
  input: recordOf(z.string(), z.unknown())
    .optional()
    .describe('Its input; a text that is one ${{ … }} becomes its value, of any type'),

  command: z
    .union(
      [z.string().min(1), z.array(z.string()).min(1)],
      'must be a text, or a list of texts with every number in quotes',
    )
    .optional()
    .describe('A shell command for the tool Bash, or its words; values in it are quoted'),

  needs: z
    .array(Name)
    .optional()
    .describe('Tasks that must end first; tasks that an expression reads are added'),
  when: Condition.optional().describe('Runs only if this holds, and is skipped otherwise'),
  foreach: z
    .union(
      [z.array(z.unknown()), z.string().min(1)],
      'must be a list, or an expression that is one',
    )
    .optional()
    .describe('Once for each entry of a list: ${{ item }}, and its position ${{ index }}'),
  concurrency: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('For foreach: how many at once; 10 if absent'),
  retry: z
    .union(
      [z.int().min(0).max(100), Retry],
      'must be a number from 0 to 100, or { times, delay, factor }',
    )
    .optional()
    .describe('How often a failed task is tried again; 0 is never'),
  timeout: Duration.optional().describe(
    'Time limit of an attempt; after it the attempt has failed',
  ),
}) satisfies z.ZodType<WorkflowTask>;

/** Steps, and the order that follows from what each of them needs. */
export type WorkflowDefinition = {
  /** Steps by name; at least one. A name has letters, digits, `_` and `-`, and begins with a letter. */
  readonly tasks: Readonly<Record<string, WorkflowTask>>;
  /**
   * A condition that is checked whenever a step ends. When it holds, the workflow has completed and everything else ends.
   * Absent: the workflow ends when all steps have ended, and has failed if one has.
   */
  readonly finish?: string | undefined;
};
export const WorkflowDefinition = strictObject({
  tasks: recordOf(Name, WorkflowTask)
    .refine((tasks) => Object.keys(tasks).length > 0, 'there is no task')
    .describe('The tasks, by name'),
  finish: Condition.optional().describe(
    'When the workflow is done: checked whenever a task ends. If absent: when all have ended and none has failed',
  ),
}) satisfies z.ZodType<WorkflowDefinition>;

/** One problem of a workflow. */
export type WorkflowProblem = {
  /** The path from the definition down. */
  readonly path: readonly (string | number)[];
  /** For an expression: characters before the mistake in that text. */
  readonly at?: number;
  readonly message: string;
};

/** Inputs of a workflow by name. */
export type WorkflowInputs = Readonly<Record<string, string>>;

/** Outputs by task and then by entry of its list; a task without a list has the entry 0. */
export type WorkflowOutputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
