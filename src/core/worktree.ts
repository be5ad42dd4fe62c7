import { z } from 'zod';

/** A git worktree that was made for one agent. All paths are absolute. */
export type Worktree = {
  /** The folder of the worktree. */
  readonly path: string;
  /** Short name of the branch of the worktree. */
  readonly branch: string;
  /** The first commit; empty if it is not known, and then the worktree always counts as changed. */
  readonly base: string;
  /** The work tree that it was made from. */
  readonly repository: string;
  /** The working folder of its agent: the same folder in the worktree as the parent's in the work tree. */
  readonly cwd: string;
  /** Hooks of `WorktreeCreate` made the folder: it has no branch. */
  readonly isByHook?: true | undefined;
};
export const Worktree: z.ZodType<Worktree> = z.object({
  path: z.string(),
  branch: z.string(),
  base: z.string(),
  repository: z.string(),
  cwd: z.string(),
  isByHook: z.literal(true).optional(),
});

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
  const place = branch === '' ? path : `${path}, branch ${branch}`;
  return `Its ${branch === '' ? '' : 'git '}worktree is kept, because ${why}: ${place}.`;
}
