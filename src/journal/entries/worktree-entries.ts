import { z } from 'zod';
import { TaskId } from '../../core/ids.js';
import { Worktree } from '../../core/worktree.js';

const head = { id: TaskId, timestamp: z.number() };

/** A worktree is about to be made or resumed for the agent of a task. */
export const WorktreeBegun = z.lazy(() =>
  z.object({
    type: z.literal('worktree.begun'),
    worktree: Worktree,
    sessionId: z.string(),
    ...head,
  }),
);

export const WorktreeRemoved = z.lazy(() =>
  z.object({ type: z.literal('worktree.removed'), ...head }),
);

/** The worktree is kept because there is work in it. */
export const WorktreeKept = z.lazy(() =>
  z.object({
    type: z.literal('worktree.kept'),
    kept: z.object({ path: z.string(), branch: z.string(), why: z.string() }),
    ...head,
  }),
);

/** The main agent has entered a worktree. */
export const WorktreeEntered = z.lazy(() =>
  z.object({
    type: z.literal('worktree.entered'),
    worktree: Worktree,
    sessionId: z.string(),
    timestamp: z.number(),
  }),
);

/** The main agent works in the folder of the session again. */
export const WorktreeLeft = z.lazy(() =>
  z.object({ type: z.literal('worktree.left'), timestamp: z.number() }),
);

/** A worktree that the main agent has entered and not left. */
export type PastEntry = Pick<PastWorktree, 'worktree' | 'madeBy'>;

/** A worktree without an end in the journal. */
export type PastWorktree = {
  readonly id: TaskId;
  readonly worktree: Worktree;
  /** The session that made it: the original, if this is a fork. */
  readonly madeBy: string;
};

type Entry = { readonly type: string };

/** Worktrees whose task had not ended when its process did, or had no task yet. */
export function toPastWorktrees(entries: readonly Entry[]): readonly PastWorktree[] {
  const left = new Map<TaskId, PastWorktree>();
  for (const entry of entries as readonly (Entry | z.infer<typeof Known>)[]) {
    if (!('id' in entry)) continue;
    const { id } = entry;
    if (entry.type === 'worktree.begun')
      left.set(id, { id, worktree: entry.worktree, madeBy: entry.sessionId });
    else if (entry.type === 'worktree.removed' || entry.type === 'worktree.kept') left.delete(id);
  }
  return [...left.values()];
}

/** The worktree that the main agent of an earlier process was in. */
export function toPastEntry(entries: readonly Entry[]): PastEntry | undefined {
  const last = entries.findLast(({ type }) => /^worktree\.(?:entered|left)$/.test(type));
  if (last?.type !== 'worktree.entered') return undefined;
  const { worktree, sessionId: madeBy } = last as z.infer<typeof WorktreeEntered>; // its type says so
  return { worktree, madeBy };
}

const Known = z.lazy(() =>
  z.discriminatedUnion('type', [WorktreeBegun, WorktreeRemoved, WorktreeKept]),
);
