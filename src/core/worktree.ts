import { z } from 'zod';

/** A git worktree that was made for one agent. All paths are absolute. */
export const Worktree = z.object({
  path: z.string(),
  /** Short name of the branch of the worktree. */
  branch: z.string(),
  /** The first commit; empty if it is not known, and then the worktree always counts as changed. */
  base: z.string(),
  /** The work tree that it was made from. */
  repository: z.string(),
  /** The working folder of its agent: the same folder in the worktree as the parent's in the work tree. */
  cwd: z.string(),
});
export type Worktree = Readonly<z.infer<typeof Worktree>>;

/** A worktree that an agent left behind, because there is work in it. */
export type KeptWorktree = {
  /** Absolute path of the worktree. */
  readonly path: string;
  /** Short name of its branch, such as `troupe/a1b2c3d4e`. */
  readonly branch: string;
  /** The work in it, in words for a person. */
  readonly why: string;
};

/** A sentence about the worktree of an agent, for its parent. */
export function describeKept({ path, branch, why }: KeptWorktree): string {
  return `Its git worktree is kept, because ${why}: ${path}, branch ${branch}.`;
}
