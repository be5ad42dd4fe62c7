import { toFailure } from '../../core/errors.js';
import { evaluate, isTrue, type Scope } from '../expressions/evaluate.js';
import { ExpressionError } from '../expressions/expression-error.js';
import { fillCommand } from '../expressions/shell-command.js';
import { fillTemplates, fillToText, parseCondition } from '../expressions/template.js';
import type { Failure } from '../../core/failure.js';
import { parseDuration } from '../../core/time/duration.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import type { WorkflowTask } from '../workflow-definition.js';
import type { StepState, StepWork, WorkflowContext } from './workflow-types.js';

const MOST_ITEMS = 10_000;

/** The longest timeout of the tool Bash. */
const LONGEST_COMMAND_MS = 600_000;

type Tried<T> = { readonly value: T } | { readonly failure: Failure };

/** The data of a workflow's expressions: its inputs, and the states of these steps. */
export function scopeOf(
  { inputs, steps }: Pick<WorkflowContext, 'inputs' | 'steps'>,
  names: readonly string[],
): Scope {
  const tasks = names.map((name) => [name, viewOf(name, steps[name])] as const);
  return { inputs, tasks: Object.fromEntries(tasks) };
}

export function holds(condition: string, scope: Scope): Tried<boolean> {
  return attempt(() => isTrue(evaluate(parseCondition(condition), scope)));
}

/** The list of a `foreach`. */
export function itemsOf(
  foreach: string | readonly unknown[],
  scope: Scope,
): Tried<readonly unknown[]> {
  return attempt(() => {
    const items =
      typeof foreach === 'string'
        ? evaluate(parseCondition(foreach), scope)
        : fillTemplates(foreach, scope);
    if (Array.isArray(items) && items.length <= MOST_ITEMS) return items as readonly unknown[];
    if (Array.isArray(items))
      throw new ExpressionError(
        `foreach takes ${MOST_ITEMS} entries at most, not ${items.length}.`,
      );
    throw new ExpressionError(
      `foreach needs a list, and "${String(foreach)}" is not one. A text that contains JSON is parsed by .json: tasks.NAME.json.`,
    );
  });
}

/** The work of a step, with its values filled in. */
export function workOf(task: WorkflowTask, scope: Scope): Tried<StepWork> {
  return attempt(() => {
    const { agent, prompt = '', model, isolation, budget } = task;
    if (agent !== undefined)
      return {
        kind: 'agent',
        agent,
        prompt: promptOf(prompt, scope),
        model,
        isolation,
        budget,
      };
    return { kind: 'tool', ...toolUseOf(task, scope) };
  });
}

/** An agent with an empty prompt would be done at once, as if it had succeeded. */
function promptOf(prompt: string, scope: Scope): string {
  const text = fillToText(prompt, scope);
  if (text.trim() !== '') return text;
  throw new ExpressionError(
    'The prompt is blank: the values of its expressions are empty. Use "when" to skip the task then.',
  );
}

function toolUseOf(
  task: WorkflowTask,
  scope: Scope,
): { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } {
  const { tool = 'Bash', input = {}, command, description } = task;
  if (command !== undefined) {
    const { timeout = '' } = task;
    return {
      tool: 'Bash',
      input: {
        command: fillCommand(command, scope),
        timeout: Math.min(parseDuration(timeout) ?? LONGEST_COMMAND_MS, LONGEST_COMMAND_MS),
        ...(description === undefined ? {} : { description }),
      },
    };
  }
  const { command: script, ...rest } = input;
  if (tool !== 'Bash' || typeof script !== 'string')
    return { tool, input: fillTemplates(input, scope) as Record<string, unknown> }; // a record stays a record
  const filled = fillTemplates(rest, scope) as Record<string, unknown>; // as above
  return { tool, input: { ...filled, command: fillCommand(script, scope) } };
}

/** A step as expressions see it. `json` is its output parsed as JSON, on access. */
function viewOf(name: string, state: StepState | undefined): object {
  const { status = 'pending' } = state ?? {};
  const output = state?.status === 'done' ? state.output : null;
  return {
    status,
    output,
    error: state?.status === 'failed' ? state.failure.message : null,
    get json(): unknown {
      return Array.isArray(output) ? output.map((one) => toJson(name, one)) : toJson(name, output);
    },
  };
}

/** Models often put a code fence around JSON. */
const FENCED = /^```[a-z]*\n(?<json>.*)\n```$/s;

function toJson(name: string, output: unknown): unknown {
  const value = typeof output === 'string' ? parseOutput(name, output) : output;
  if (!isDeeperThan(MOST_LEVELS, value)) return value;
  throw new ExpressionError(
    `tasks.${name}.json: the output of "${name}" is JSON of more than ${MOST_LEVELS} levels: lists and objects may be ${MOST_LEVELS} deep.`,
  );
}

function parseOutput(name: string, output: string): unknown {
  const text = output.trim();
  const value = tryParseJson(FENCED.exec(text)?.groups?.['json'] ?? text);
  if (value !== undefined) return value;
  const shown = text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
  throw new ExpressionError(
    `tasks.${name}.json: the output of "${name}" is not JSON: ${JSON.stringify(shown)}.`,
  );
}

const MOST_SHOWN = 80;
const MOST_LEVELS = 1_000;

/** Level by level: recursion would overflow the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let containers = [value].filter(isContainer);
  for (let level = 0; level < levels && containers.length > 0; level += 1)
    containers = containers.flatMap((one) => Object.values(one).filter(isContainer));
  return containers.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function attempt<T>(run: () => T): Tried<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { failure: toFailure(error) };
  }
}
