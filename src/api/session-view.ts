import { NO_VIEW, reduceView, type ViewState } from '../view/view-state.js';
import { selectTree, type TreeNode } from '../view/select-tree.js';
import { followJournal } from './follow-journal.js';

/** The state of a session from its journal, as the control room shows it. */
export interface SessionView {
  /** Read the lines that have come since the last call. */
  next(): Promise<ViewState>;
}

/** View a session by the folder of its journal. Nothing is changed. */
export function viewSession(directory: string): SessionView {
  const follower = followJournal(directory);
  let state = NO_VIEW;
  return {
    async next() {
      const events = await follower.next();
      if (events.length > 0) state = reduceView(state, events);
      return state;
    },
  };
}

/** The tree of the tasks of a session; costs are left out. */
export function treeOf(state: ViewState): readonly TreeNode[] {
  return selectTree(state, () => undefined);
}

export type { AgentView } from '../view/agent-view.js';
export type { ViewState } from '../view/view-state.js';
export type { TreeNode } from '../view/select-tree.js';
