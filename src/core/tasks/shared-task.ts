import { z } from 'zod';

const text = z.string().refine((value) => value.trim() !== '', 'it is empty');
export const SHARED_TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const;

/** One to-do item of a list that several agents share. */
export type SharedTask = {
  /** Number within the list, from 1, as text. A number is never used again. */
  readonly id: string;
  /** The work, as an order: `Run the tests`. Not blank. */
  readonly subject: string;
  /** Everything that the agent that does it has to know. */
  readonly description: string;
  /** The subject while it is being done: `Running the tests`. */
  readonly activeForm?: string | undefined;
  /** Whether an agent has begun the work, or completed it. A completed item can only be deleted. */
  readonly status: (typeof SHARED_TASK_STATUSES)[number];
  /** Name or agent ID of the owner; absent if there is none. */
  readonly owner?: string | undefined;
  /** IDs of items that must be completed before this one can be taken. */
  readonly blockedBy: readonly string[];
  /** Further fields, for the agents themselves. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};
export const SharedTask = z.object({
  id: z.string().regex(/^[1-9]\d*$/),
  subject: text,
  description: z.string(),
  activeForm: text.optional(),
  status: z.enum(SHARED_TASK_STATUSES),
  owner: text.optional(),
  blockedBy: z.array(z.string()).readonly(),
  metadata: z.record(z.string(), z.unknown()).readonly().optional(),
}) satisfies z.ZodType<SharedTask>;

/** The present list, oldest item first. `newest`: the highest number so far. */
export type SharedTasks = {
  /** Number of the newest entry; entries are numbered from 1. */
  readonly newest: number;
  /** To-do items by ID, oldest first. */
  readonly tasks: ReadonlyMap<string, SharedTask>;
};

export const NO_SHARED_TASKS: SharedTasks = { newest: 0, tasks: new Map() };

export type NewSharedTask = Pick<SharedTask, 'subject' | 'description' | 'activeForm' | 'metadata'>;

/** A change of a to-do item. An absent field keeps its value. */
export type SharedTaskChange = {
  readonly [Field in keyof NewSharedTask]?: NewSharedTask[Field] | undefined;
} & {
  /** The new status. `in_progress` and `completed` make the agent the owner if there is none; `deleted` removes the item. */
  readonly status?: SharedTask['status'] | 'deleted' | undefined;
  /** Name of the new owner; empty for none. */
  readonly owner?: string | undefined;
  /** IDs of items that must wait for this one. */
  readonly addBlocks?: readonly string[] | undefined;
  /** IDs of items that this one must wait for. */
  readonly addBlockedBy?: readonly string[] | undefined;
};

/** The agent that makes a change. */
export type SharedTaskActor = {
  readonly name: string;
  /** The lead may reassign an item of another owner. */
  readonly isLead: boolean;
  /** Whether an owner is alive: an item of an ended owner may be taken. */
  readonly isLive: (owner: string) => boolean;
};

/** The changed items, and the IDs of deleted ones; or why nothing was changed. */
export type SharedTaskOutcome =
  | { readonly changed: readonly SharedTask[]; readonly deleted: readonly string[] }
  | { readonly problem: string };

export function addSharedTask(
  { newest }: SharedTasks,
  { subject, description, activeForm, metadata }: NewSharedTask,
): SharedTask {
  return {
    id: String(newest + 1),
    subject,
    description,
    status: 'pending',
    blockedBy: [],
    ...(activeForm === undefined ? {} : { activeForm }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/**
 * Plan a change. An item has one owner: an agent that starts an item without owner takes it, and the item of another
 * owner stays with that owner. An item cannot be taken or started before its blockers are completed, and no item can
 * block itself, directly or in a circle.
 */
export function changeSharedTask(
  list: SharedTasks,
  id: string,
  change: SharedTaskChange,
  by: SharedTaskActor,
): SharedTaskOutcome {
  const task = list.tasks.get(id);
  if (task === undefined) return { problem: unknown(list, id) };
  const missing = [...(change.addBlocks ?? []), ...(change.addBlockedBy ?? [])].find(
    (one) => !list.tasks.has(one),
  );
  if (missing !== undefined) return { problem: unknown(list, missing) };
  const foreign = isForeign(task, change, by);
  if (foreign !== undefined) return { problem: foreign };
  if (change.status === 'deleted') return remove(list, id);

  const blockers = new Map([...list.tasks.values()].map((one) => [one.id, one.blockedBy]));
  const block = (blocked: string, by_: string): void => {
    blockers.set(blocked, [...new Set([...(blockers.get(blocked) ?? []), by_])]);
  };
  for (const one of change.addBlockedBy ?? []) block(id, one);
  for (const one of change.addBlocks ?? []) block(one, id);
  const round = findRound(blockers, id);
  if (round !== undefined)
    return {
      problem: `the tasks would block each other: ${round.map((one) => `#${one}`).join(' ← ')}`,
    };

  const next = changed(task, change, by, blockers.get(id) ?? []);
  const isTaken = next.owner !== undefined && next.owner !== task.owner && next.owner === by.name;
  const open = next.blockedBy.filter((one) => list.tasks.get(one)?.status !== 'completed');
  if (open.length > 0 && (next.status !== 'pending' || isTaken))
    return {
      problem: `#${id} is blocked by ${open.map((one) => `#${one}`).join(', ')}, which is not completed`,
    };
  const others = (change.addBlocks ?? []).flatMap((one): SharedTask[] => {
    const other = list.tasks.get(one);
    return other === undefined ? [] : [{ ...other, blockedBy: blockers.get(one) ?? [] }];
  });
  const late = others.find((one) => one.status !== 'pending' && next.status !== 'completed');
  if (late !== undefined)
    return { problem: `#${late.id} is ${late.status} already: no task can be put before it` };
  return { changed: [next, ...others], deleted: [] };
}

/** The list after the change. */
export function applySharedTasks(
  { newest, tasks }: SharedTasks,
  { changed: news, deleted }: Extract<SharedTaskOutcome, { changed: unknown }>,
): SharedTasks {
  const next = new Map(tasks);
  for (const task of news) next.set(task.id, task);
  for (const id of deleted) next.delete(id);
  return { newest: Math.max(newest, ...news.map(({ id }) => Number(id))), tasks: next };
}

/** The items that this one blocks. */
export function blocksOf({ tasks }: SharedTasks, id: string): readonly string[] {
  return [...tasks.values()].filter((one) => one.blockedBy.includes(id)).map((one) => one.id);
}

function changed(
  task: SharedTask,
  { status, owner, subject, description, activeForm, metadata }: SharedTaskChange,
  by: SharedTaskActor,
  blockedBy: readonly string[],
): SharedTask {
  const { owner: had, ...rest } = task;
  const isLeft = had === undefined || (had !== by.name && !by.isLive(had));
  const isTaken =
    status === 'in_progress' || (status === 'completed' && task.status !== 'completed');
  const wanted = owner ?? (isTaken && isLeft ? by.name : had);
  return {
    ...rest,
    // `deleted` is not a status here; it is handled before
    status: status === undefined || status === 'deleted' ? task.status : status,
    blockedBy,
    ...(wanted === undefined || wanted.trim() === '' ? {} : { owner: wanted }),
    ...(subject === undefined ? {} : { subject }),
    ...(description === undefined ? {} : { description }),
    ...(activeForm === undefined ? {} : { activeForm }),
    ...(metadata === undefined ? {} : { metadata: { ...task.metadata, ...metadata } }),
  };
}

/**
 * Why the agent may not change the item: it has another owner, or is completed. Anyone may change notes and blockers.
 */
function isForeign(
  { id, owner, status }: SharedTask,
  change: SharedTaskChange,
  { name, isLead, isLive }: SharedTaskActor,
): string | undefined {
  const touches = change.status !== undefined || change.owner !== undefined;
  if (!touches) return undefined;
  if (status === 'completed' && change.status !== 'deleted')
    return change.status === 'completed' && change.owner === undefined
      ? undefined
      : `#${id} is completed: create another task for further work`;
  if (owner === undefined || owner === name || isLead || !isLive(owner)) return undefined;
  return `#${id} belongs to ${owner}`;
}

function remove({ tasks }: SharedTasks, id: string): SharedTaskOutcome {
  const freed = [...tasks.values()]
    .filter(({ blockedBy }) => blockedBy.includes(id))
    .map((task) => ({ ...task, blockedBy: task.blockedBy.filter((one) => one !== id) }));
  return { changed: freed, deleted: [id] };
}

/** A path from an item through its blockers back to itself. */
function findRound(
  blockers: ReadonlyMap<string, readonly string[]>,
  start: string,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const open: (readonly string[])[] = [[start]];
  for (let way = open.pop(); way !== undefined; way = open.pop())
    for (const next of blockers.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start];
      if (!seen.has(next)) open.push([...way, next]);
      seen.add(next);
    }
  return undefined;
}

function unknown({ tasks }: SharedTasks, id: string): string {
  const there = [...tasks.keys()].map((one) => `#${one}`).join(', ');
  return `there is no task #${id}${there === '' ? ', the list is empty' : `; there are ${there}`}`;
}
