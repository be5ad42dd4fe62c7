import type { TaskId } from '../../core/ids.js';
import type { TaskKind } from '../../core/task-types.js';
import { notProvided } from '../not-provided.js';

/** The data that a task keeps of a live child. */
export type TaskChild = {
  readonly id: TaskId;
  readonly kind: TaskKind;
  readonly isBackgrounded: boolean;
  /** The child and all tasks below it are idle: the parent may end before it. */
  readonly isIdle?: boolean | undefined;
};

/** The logic of each kind of child, which the composition root provides. */
export const CHILD_LOGIC = {
  local_agent: notProvided('local_agent'),
  local_bash: notProvided('local_bash'),
  in_process_teammate: notProvided('in_process_teammate'),
  local_workflow: notProvided('local_workflow'),
  local_tool: notProvided('local_tool'),
  monitor_mcp: notProvided('monitor_mcp'),
  dream: notProvided('dream'),
};
/** Kinds of child that a task can start. */
export type Spawnable = keyof typeof CHILD_LOGIC;

/** Kinds that keep an agent from ending. Shells, monitors and dreams do not: they end with the agent. */
const HOLDING: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'local_agent',
  'remote_agent',
  'in_process_teammate',
  'local_workflow',
  'local_tool',
]);

/** Whether a child of this kind keeps its parent's agent from ending while it is not idle. */
export function holdsItsAgent(kind: TaskKind): boolean {
  return HOLDING.has(kind);
}

/** Whether the end of a background child of this kind is news for its parent's agent. */
export function isNews(kind: TaskKind): boolean {
  return kind !== 'dream';
}

export function findChild(children: readonly TaskChild[], id: string): TaskChild | undefined {
  return children.find((child) => child.id === id);
}

export function withoutChild(children: readonly TaskChild[], id: string): readonly TaskChild[] {
  return children.filter((child) => child.id !== id);
}

export function changeChild(
  children: readonly TaskChild[],
  id: string,
  change: Partial<TaskChild>,
): readonly TaskChild[] {
  return children.map((child) => (child.id === id ? { ...child, ...change } : child));
}
