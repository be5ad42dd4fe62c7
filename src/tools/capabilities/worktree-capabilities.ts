import type { Worktree } from '../../core/worktree.js';

/** The worktree that the main agent of a session works in, for its tools. */
export interface WorktreeCapabilities {
  /** The worktree that the agent has entered and not left. */
  entered(): Worktree | undefined;
  /**
   * Make a worktree of the repository around `cwd`. Resolve when it is there; a resumed session works in it from then
   * on.
   * @throws WorktreeError
   */
  enter(name: string, cwd: string): Promise<Worktree>;
  /**
   * Leave the worktree. `remove` loses no work; `discard` removes the worktree with all that is in it.
   *
   * @returns the worktree, and why something of it stays although it was to be removed
   */
  leave(action: 'keep' | 'remove' | 'discard'): Promise<LeftWorktree>;
}

/** The end of a worktree's use. */
export type LeftWorktree = {
  /** The worktree, removed or not. */
  readonly worktree: Worktree;
  /** Whether the agent has left it. If not, the agent still works in it. */
  readonly isLeft: boolean;
  /** Why something of it stays although it was to be removed. */
  readonly why?: string | undefined;
};
