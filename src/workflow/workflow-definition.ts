import { z } from 'zod';
import { DURATION_PATTERN } from '../core/time/duration.js';
import { strictObject } from '../core/text/strict-object.js';
import { TaskBudget } from '../core/tasks/task-budget.js';

/** Of tasks, agents and inputs. */
export const Name = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/, 'a name has letters, digits, "_" and "-", and begins with a letter');

/** What stands under names. Refuses the one name that zod leaves out without a word. */
export function recordOf<T extends z.ZodType>(names: z.ZodString, value: T) {
  return z.preprocess(
    (given: Readonly<Record<string, z.input<T>>>, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
        context.addIssue({
          code: 'custom',
          path: ['__proto__'],
          message: '"__proto__" is no name: take another one',
        });
      return given;
    },
    z.record(names, value),
  );
}

/** How a condition is written. */
const Condition = z.string().min(1);

const Duration = z
  .string()
  .regex(DURATION_PATTERN, 'a duration is a number with ms, s, m or h, such as 90s');

const Retry = strictObject({
  times: z.int().min(0).max(100).describe('How often it is tried again'),
  delay: Duration.optional().describe('Wait before the first of them; 1s where absent'),
  factor: z
    .number()
    .min(1)
    .max(10)
    .optional()
    .describe('By how much each wait is longer than the one before; 2 where absent'),
});

/** How often a failed step is tried again, and how long to wait before that. */
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
  description: z.string().min(1).optional().describe('What it does, for people'),

  agent: z.string().min(1).optional().describe('Name of the agent that does it'),
  prompt: z.string().min(1).optional().describe('What the agent is asked; ${{ … }} as in inputs'),
  model: z.string().min(1).optional().describe("In place of the agent's own model"),
  isolation: z
    .literal('worktree')
    .optional()
    .describe('The agent works in a git worktree of its own'),
  budget: TaskBudget.optional().describe('What the agent and all below it may use'),

  tool: z.string().min(1).optional().describe('Name of the tool that is used once'),
  input: recordOf(z.string(), z.unknown())
    .optional()
    .describe('Its input; a text that is one ${{ … }} becomes its value, whatever that is'),

  command: z
    .union(
      [z.string().min(1), z.array(z.string()).min(1)],
      'must be a text, or a list of texts with every number in quotes',
    )
    .optional()
    .describe('A shell command for the tool Bash, or its words; values stand in it quoted'),

  needs: z
    .array(Name)
    .optional()
    .describe('Tasks that must have ended before; those it reads are added'),
  when: Condition.optional().describe('Runs only where this holds, and is skipped otherwise'),
  foreach: z
    .union(
      [z.array(z.unknown()), z.string().min(1)],
      'must be a list, or an expression that is one',
    )
    .optional()
    .describe('Once for each entry of a list: ${{ item }}, and its place ${{ index }}'),
  concurrency: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Of foreach: how many at once; 10 where absent'),
  retry: z
    .union(
      [z.int().min(0).max(100), Retry],
      'must be a number from 0 to 100, or { times, delay, factor }',
    )
    .optional()
    .describe('How often it is tried again where it fails; 0 is never'),
  timeout: Duration.optional().describe('After which a try is ended and counts as failed'),
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
    'When it is done: looked at whenever a task ends; where absent when all have ended, and none has failed',
  ),
}) satisfies z.ZodType<WorkflowDefinition>;

/** One thing that is wrong with a workflow. */
export type WorkflowProblem = {
  /** The way to it, from the definition down. */
  readonly path: readonly (string | number)[];
  /** Of an expression: characters in front of the mistake in that text. */
  readonly at?: number;
  readonly message: string;
};

/** Inputs of a workflow by name. */
export type WorkflowInputs = Readonly<Record<string, string>>;

/** What was done, by task and then by entry of its list; a task without one has the entry 0. */
export type WorkflowOutputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
