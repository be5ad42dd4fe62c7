import { z } from 'zod';
import { readJournal } from '../../api/sessions/journal.js';

const Line = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  parentId: z.string().optional(),
  description: z.string().optional(),
  command: z.string().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});

export type Overlap = {
  /** Epoch ms. */
  readonly at: number;
  /** One command for each agent with a running command. */
  readonly commands: readonly { readonly owner: string; readonly command: string }[];
};

type Interval = {
  readonly owner: string;
  readonly command: string;
  readonly startedAt: number;
  readonly endedAt: number;
};

/** Find the instant at which most agents had a running process, in the journal of tasks. */
export async function findOverlap(tasksFile: string): Promise<Overlap | undefined> {
  const lines = await readJournal(tasksFile, Line);
  const tasks = new Map(
    lines.flatMap((line) => (line.parentId && line.id ? [[line.id, line]] : [])),
  );
  const intervals = lines.flatMap(({ type, id = '', command, startedAt, endedAt }): Interval[] => {
    if (type !== 'process.ended' || command === undefined) return [];
    if (startedAt === undefined || endedAt === undefined) return [];
    const owner = tasks.get(tasks.get(id)?.parentId ?? '')?.description ?? 'the session';
    return [{ owner, command, startedAt, endedAt }];
  });
  return busiestInstant(intervals);
}

/** Check each instant at which a process begins: only there the number of running processes grows. */
export function busiestInstant(intervals: readonly Interval[]): Overlap | undefined {
  let best: Overlap | undefined;
  for (const { startedAt: at } of intervals) {
    const running = intervals.filter((one) => one.startedAt <= at && at < one.endedAt);
    const byOwner = new Map(running.map(({ owner, command }) => [owner, command]));
    if (byOwner.size <= (best?.commands.length ?? 0)) continue;
    const commands = [...byOwner].map(([owner, command]) => ({ owner, command }));
    best = { at, commands: commands.toSorted((a, b) => a.owner.localeCompare(b.owner, 'en')) };
  }
  return best;
}
