import type { BoardItem } from './todos.js';
import type { ViewState } from './view-state.js';

/** A to-do list with its items, the oldest first. */
export type BoardList = {
  /** The team, `session` for the session's own list, or the agent that keeps the list for itself. */
  readonly name: string;
  readonly items: readonly BoardItem[];
};

/** The to-do lists of the session, its teams and its agents that have items. */
export function selectBoard({ teams, agents }: ViewState): readonly BoardList[] {
  const shared = [...teams].map(([name, { list }]) => ({ name, items: [...list.tasks.values()] }));
  const own = [...agents.values()].map(({ name, todos }) => ({ name, items: todos }));
  return [...shared, ...own].filter(({ items }) => items.length > 0);
}
