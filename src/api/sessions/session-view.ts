import { setImmediate } from 'node:timers/promises';
import { NO_VIEW, reduceView, type ViewState } from '../../view/view-state.js';
import { selectTree, type TreeNode } from '../../view/select-tree.js';
import { followJournal } from './follow-journal.js';

/** Events that are reduced at once: a few milliseconds. */
const SLICE = 100;
/** The newest entries of a conversation; `troupe log` has all. */
const BOUND = { entries: 500, costOf: () => undefined };

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
      for (let at = 0; at < events.length; at += SLICE) {
        state = reduceView(state, events.slice(at, at + SLICE), BOUND);
        await setImmediate(); // a key is taken between two slices
      }
      return state;
    },
  };
}

/** The tree of the tasks of a session; costs are left out. */
export function treeOf(state: ViewState): readonly TreeNode[] {
  return selectTree(state, () => undefined);
}

export { NO_VIEW } from '../../view/view-state.js';
export { ACTIVITY_WORDS } from '../../view/activity-words.js';
export type { AgentView } from '../../view/agent-view.js';
export type { ViewState } from '../../view/view-state.js';
export type { TreeNode } from '../../view/select-tree.js';
