import { isSameAgentType } from '../core/agents/agent-type.js';
import { parseDuration } from '../core/time/duration.js';
import { COMPARISONS, pathsIn, type Expression, type Path } from './expressions/expression.js';
import { nameSome } from '../core/text/name-some.js';
import { nearestName } from '../core/text/nearest-name.js';
import { findCycles } from './workflow-cycles.js';
import type { WorkflowDefinition, WorkflowProblem, WorkflowTask } from './workflow-definition.js';
import { expressionsOf, readCondition, type LocatedExpression } from './workflow-expressions.js';

/** Names that a workflow may use beside its own tasks. Absent lists are not checked. */
export type KnownNames = {
  readonly inputs: readonly string[];
  readonly agents?: readonly string[];
  readonly tools?: readonly string[];
};

/** Names of a workflow, and others that it may use. */
type Names = {
  readonly tasks: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
  readonly agents?: ReadonlySet<string>;
  readonly tools?: ReadonlySet<string>;
};

/** After this number no further task is checked. */
const MOST_PROBLEMS = 100;
const MOST_LISTED = 20;

const KINDS = ['agent', 'tool', 'command'] as const;
/** Fields of one kind of task only. */
const OWN_FIELDS = {
  agent: ['prompt', 'model', 'isolation', 'budget'],
  tool: ['input'],
  command: [],
} as const satisfies Readonly<Record<(typeof KINDS)[number], readonly (keyof WorkflowTask)[]>>;

const VIEW = ['output', 'json', 'status', 'error'];
const ENDS = ['done', 'failed', 'skipped'];
/** Statuses for `finish`, which is also checked while tasks run. */
const STATUSES = ['pending', 'running', ...ENDS];

/** Find all problems of a workflow with a valid shape, in their order. */
export function findWorkflowProblems(
  definition: WorkflowDefinition,
  known: KnownNames,
): readonly WorkflowProblem[] {
  const readable = {
    tasks: new Set(Object.keys(definition.tasks)),
    inputs: new Set(known.inputs),
    ...(known.agents === undefined ? {} : { agents: new Set(known.agents) }),
    ...(known.tools === undefined ? {} : { tools: new Set(known.tools) }),
  };
  const ofTasks: WorkflowProblem[] = [];
  for (const [name, task] of Object.entries(definition.tasks)) {
    if (ofTasks.length > MOST_PROBLEMS) break;
    for (const problem of problemsOfTask(name, task, readable))
      ofTasks.push({ ...problem, path: ['tasks', name, ...problem.path] });
  }
  const { finish } = definition;
  const ofFinish =
    finish === undefined
      ? []
      : problemsOfExpression(readCondition(finish, ['finish']), {
          ...readable,
          statuses: STATUSES,
          hasItem: false,
        });
  return [...ofTasks, ...findCycles(definition), ...ofFinish];
}

function problemsOfTask(
  name: string,
  task: WorkflowTask,
  known: Names,
): readonly WorkflowProblem[] {
  const needs = (task.needs ?? []).flatMap((need, index) => {
    if (need === name) return [{ path: ['needs', index], message: `"${name}" needs itself` }];
    if (known.tasks.has(need)) return [];
    return [{ path: ['needs', index], message: unknown('task', need, known.tasks, name) }];
  });
  const texts = expressionsOf(task).flatMap((located) =>
    problemsOfExpression(located, {
      ...known,
      self: name,
      statuses: ENDS,
      hasItem: task.foreach !== undefined && !['when', 'foreach'].includes(String(located.path[0])),
    }),
  );
  return [...problemsOfKind(task, known), ...needs, ...problemsOfTimes(task), ...texts];
}

function problemsOfKind(task: WorkflowTask, known: Names): readonly WorkflowProblem[] {
  const kinds = KINDS.filter((kind) => task[kind] !== undefined);
  const [kind, second] = kinds;
  if (kind === undefined)
    return [
      {
        path: [],
        message: 'it does nothing: give it an agent with a prompt, a tool, or a command',
      },
    ];
  if (second !== undefined)
    return [{ path: [second], message: `it has ${kinds.join(' and ')}: one of them is enough` }];
  const foreign = KINDS.flatMap((other) => (other === kind ? [] : OWN_FIELDS[other])).flatMap(
    (field) =>
      task[field] === undefined
        ? []
        : [{ path: [field], message: `"${field}" has no effect beside "${kind}"` }],
  );
  const { agent, tool, prompt } = task;
  return [
    ...foreign,
    ...(agent !== undefined && prompt === undefined
      ? [{ path: [], message: `the agent "${agent}" has no prompt: give it one` }]
      : []),
    ...(agent !== undefined && known.agents !== undefined && !isAgent(agent, known.agents)
      ? [{ path: ['agent'], message: unknown('agent', agent, known.agents) }]
      : []),
    ...(tool?.startsWith('mcp__') === false && known.tools?.has(tool) === false
      ? [{ path: ['tool'], message: unknown('tool', tool, known.tools) }]
      : []),
  ];
}

function problemsOfTimes({
  timeout,
  retry,
  concurrency,
  foreach,
}: WorkflowTask): readonly WorkflowProblem[] {
  const delay = typeof retry === 'object' ? retry.delay : undefined;
  const durations = [
    { path: ['timeout'], text: timeout },
    { path: ['retry', 'delay'], text: delay },
  ];
  const wrong = durations.flatMap(({ path, text }) =>
    text === undefined || parseDuration(text) !== undefined
      ? []
      : [{ path, message: `"${text}" is not a valid delay: above 0, and 24 days at most` }],
  );
  if (concurrency === undefined || foreach !== undefined) return wrong;
  return [...wrong, { path: ['concurrency'], message: '"concurrency" needs "foreach"' }];
}

type Readable = Names & {
  /** The task itself, which cannot be read. */
  readonly self?: string;
  /** Statuses that a condition may compare with. */
  readonly statuses: readonly string[];
  readonly hasItem: boolean;
};

function problemsOfExpression(
  { path, expressions, error }: LocatedExpression,
  readable: Readable,
): readonly WorkflowProblem[] {
  if (error !== undefined)
    return [{ path, message: error.message, ...(error.at === undefined ? {} : { at: error.at }) }];
  return expressions.flatMap((expression) => [
    ...pathsIn(expression).flatMap((read) => {
      const message = problemOfPath(read, readable);
      return message === undefined ? [] : [{ path, at: read.at, message }];
    }),
    ...statusesIn(expression).flatMap(({ status, at }) =>
      readable.statuses.includes(status)
        ? []
        : [{ path, at, message: unknown('status', status, readable.statuses) }],
    ),
  ]);
}

function problemOfPath({ root, parts }: Path, readable: Readable): string | undefined {
  const [first, second] = parts;
  switch (root) {
    case 'inputs':
      if (first === undefined) return undefined;
      return readable.inputs.has(String(first))
        ? undefined
        : unknown('input', String(first), readable.inputs);
    case 'tasks':
      if (typeof first !== 'string' || second === undefined)
        return `tasks is read as tasks.NAME.output, .json, .status or .error`;
      if (!readable.tasks.has(first) || first === readable.self)
        return unknown('task', first, readable.tasks, readable.self);
      return VIEW.includes(String(second))
        ? undefined
        : `a task has no "${second}", only ${VIEW.join(', ')}`;
    case 'item':
    case 'index':
      return readable.hasItem
        ? undefined
        : `there is no "${root}" here, only in a task with foreach`;
    default:
      return `there is no "${root}", only inputs, tasks, item and index`;
  }
}

/** The texts that a condition compares statuses with: an impossible one is a mistake. */
function statusesIn(
  expression: Expression,
): readonly { readonly status: string; readonly at: number }[] {
  switch (expression.kind) {
    case 'literal':
    case 'path':
      return [];
    case 'not':
      return statusesIn(expression.operand);
    case 'and':
    case 'or':
      return expression.operands.flatMap(statusesIn);
    case 'compare': {
      const { operator, left, right, at } = expression;
      const sides = [left, right];
      const isStatus = sides.some(
        (side) => side.kind === 'path' && side.root === 'tasks' && side.parts[1] === 'status',
      );
      if (!isStatus || !COMPARISONS.slice(0, 2).includes(operator)) return [];
      return sides.flatMap((side) =>
        side.kind === 'literal' && typeof side.value === 'string'
          ? [{ status: side.value, at }]
          : [],
      );
    }
    default:
      return expression satisfies never;
  }
}

function isAgent(name: string, agents: ReadonlySet<string>): boolean {
  return agents.has(name) || [...agents].some((agent) => isSameAgentType(agent, name));
}

function unknown(
  what: string,
  name: string,
  names: Iterable<string>,
  leftOut: string | undefined = undefined,
): string {
  const known = [...names].filter((one) => one !== leftOut);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const list =
    known.length === 0 ? `No ${what} is defined.` : `There are ${nameSome(known, MOST_LISTED)}.`;
  return `there is no ${what} "${name}".${hint} ${list}`;
}
