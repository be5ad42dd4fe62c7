import { frame } from '../../core/text/frame.js';
import type { TaskStateBase } from '../../core/task-types.js';
import type { TodoItem } from '../../core/tasks/todo.js';

/** The present content of a recently read file. */
export type RecentFile = { readonly path: string; readonly text: string };

/** Content that the summary alone would lose, one text each. */
export function toAttachmentTexts({
  skills = '',
  files,
  todos,
  tasks,
}: {
  /** Texts of skills; empty for none. */
  readonly skills?: string;
  readonly files: readonly RecentFile[];
  readonly todos: readonly TodoItem[];
  /** Running in the background. */
  readonly tasks: readonly TaskStateBase[];
}): readonly string[] {
  return [
    ...(skills === '' ? [] : [skills]),
    ...(files.length === 0 ? [] : [filesText(files)]),
    ...(todos.length === 0 ? [] : [todosText(todos)]),
    ...(tasks.length === 0 ? [] : [tasksText(tasks)]),
  ];
}

function filesText(files: readonly RecentFile[]): string {
  const parts = files.map(({ path, text }) => frame('file', { path }, text));
  return ['Files that were read most recently, with their present content:', ...parts].join('\n');
}

const MARKS = { pending: '[ ]', in_progress: '[-]', completed: '[x]' } as const;

function todosText(todos: readonly TodoItem[]): string {
  const lines = todos.map(({ content, status }) => `${MARKS[status]} ${content}`);
  return frame('todos', {}, lines.join('\n'));
}

function tasksText(tasks: readonly TaskStateBase[]): string {
  const lines = tasks.map(
    ({ id, type, description, outputFile }) => `${id} (${type}): ${description} → ${outputFile}`,
  );
  const told = ['Still running; you get a notification when each of them ends.', ...lines];
  return frame('background-tasks', {}, told.join('\n'));
}
