import { z } from 'zod';

/** A git worktree that was made for one agent. All paths are absolute. */
export const Worktree = z.object({
  path: z.string(),
  /** Short name of the branch that was made with it. */
  branch: z.string(),
  /** The commit that it began at; empty where that is not known, and then it is never taken to be unchanged. */
  base: z.string(),
  /** The work tree that it was made from. */
  repository: z.string(),
  /** Where its agent starts: the same folder in it that the agent's parent works in. */
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

/** What whoever started an agent is told of the worktree that it has left. */
export function describeKept({ path, branch, why }: KeptWorktree): string {
  return `It worked in a git worktree, which is kept, since ${why}: ${path}, branch ${branch}.`;
}
