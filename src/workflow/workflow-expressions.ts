import { ExpressionError } from './expressions/expression-error.js';
import { pathsIn, type Expression, type Path } from './expressions/expression.js';
import { checkCommand } from './expressions/shell-command.js';
import { parseCondition, parseTemplate, textsIn } from './expressions/template.js';
import type { WorkflowTask } from './workflow-definition.js';

/** An expression of a task and its path. */
export type LocatedExpression = {
  /** The path from the task down. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly expressions: readonly Expression[];
  readonly error?: ExpressionError;
};

/** Parse every text of a task that may contain expressions. */
export function expressionsOf(task: WorkflowTask): readonly LocatedExpression[] {
  const { when, foreach, prompt, input, command, tool } = task;
  const conditions = { when, ...(typeof foreach === 'string' ? { foreach } : {}) };
  const templates = { prompt, input, command, ...(typeof foreach === 'string' ? {} : { foreach }) };
  const commands = [command, tool === 'Bash' ? input?.['command'] : undefined];
  return [
    ...[...textsIn(conditions)].map(({ text, path }) =>
      located(text, path, () => [parseCondition(text)]),
    ),
    ...[...textsIn(templates)].map(({ text, path }) =>
      located(text, path, () => {
        if (commands.includes(text)) checkCommand(text);
        return parseTemplate(text).filter((part) => typeof part !== 'string');
      }),
    ),
  ];
}

/** A condition by itself. */
export function readCondition(text: string, path: readonly (string | number)[]): LocatedExpression {
  return located(text, path, () => [parseCondition(text)]);
}

/** The needs of a task: those it names, and those it reads. */
export function needsOf(task: WorkflowTask): readonly string[] {
  const read = expressionsOf(task).flatMap(({ expressions }) => tasksRead(expressions));
  return [...new Set([...(task.needs ?? []), ...read])];
}

/** Whether the condition reads the end of a task: it then also decides if that task was not done. */
export function readsStatus(condition: Expression): boolean {
  return pathsIn(condition).some(({ root, parts }) => root === 'tasks' && parts[1] === 'status');
}

/** Names of the tasks that expressions read. */
export function tasksRead(expressions: readonly Expression[]): readonly string[] {
  return expressions.flatMap(pathsIn).flatMap(taskOf);
}

function taskOf({ root, parts: [name] }: Path): readonly string[] {
  return root === 'tasks' && typeof name === 'string' ? [name] : [];
}

function located(
  text: string,
  path: readonly (string | number)[],
  read: () => readonly Expression[],
): LocatedExpression {
  try {
    return { path, text, expressions: read() };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { path, text, expressions: [], error };
  }
}
