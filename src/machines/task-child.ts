import type { TaskKind } from '../core/task-types.js';

/** What a task remembers of a live child. */
export type TaskChild = { readonly kind: TaskKind; readonly isBackgrounded: boolean };

/** Kinds of child that the composition root provides. */
export type Spawnable = 'local_agent' | 'local_bash';

/** Kinds that keep an agent from being done. Shells and monitors do not: they end with it. */
const HOLDING: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'local_agent',
  'remote_agent',
  'in_process_teammate',
  'local_workflow',
]);

export function holdsItsAgent(kind: TaskKind): boolean {
  return HOLDING.has(kind);
}
