import { UsageError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import { isTerminalTaskStatus, type TaskStatus } from '../../core/task-types.js';

/**
 * Limit the number of agents that work at once; the others stay pending. Counted are running agents without a live
 * agent below them that are neither idle nor merely waiting, so that an agent that waits for others never keeps them
 * from starting: they take its place. When a message has woken it, or others have taken its place, it waits for room
 * before its next request.
 * Waiting and new agents take turns, and so do the parents of new ones: a parent that starts a thousand agents does not
 * hold back another that starts one.
 */
export interface Admission {
  /**
   * Enter the pending task of an agent: it is started when there is room.
   * @param above tasks from its parent up
   */
  enter(id: TaskId, above: Iterable<TaskId>): void;
  /** Note a snapshot of a task. */
  observe(id: TaskId, status: TaskStatus, isIdle: boolean): void;
  /**
   * Note that a tool of the task only waits: for messages, a time, another task.
   * @returns a function that ends the wait
   */
  idle(id: TaskId): () => void;
  /**
   * Ask for room before a running agent's next request: resolves when there is room; undefined if there is room now.
   */
  pass(id: TaskId): Promise<void> | undefined;
  /** End the wait of a task that is being stopped. */
  giveUp(id: TaskId): void;
  /** The positions of waiting tasks in the order in which they start or continue, from 1. */
  places(): ReadonlyMap<TaskId, number>;
}

type Entry = {
  readonly id: TaskId;
  /** The nearest task above with an entry. */
  readonly above: Entry | undefined;
  readonly owner: TaskId | undefined;
  /** Number of live agents directly below. */
  below: number;
  isRunning: boolean;
  isIdle: boolean;
  /** Number of tools that only wait. */
  idle: number;
};

/** @throws UsageError */
export function checkMaxConcurrentAgents(limit: number | undefined): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new UsageError(
      `maxConcurrentAgents is ${String(limit)}: a whole number above 0 is needed, such as 20.`,
    );
}

/** @param start starts a pending task, and has it observed before it returns */
export function createAdmission(limit: number, start: (id: TaskId) => void): Admission {
  const entries = new Map<TaskId, Entry>();
  const queue = createOwnerQueue();
  const { change, room, hold, held, goOn } = createPlaces(limit);
  /** Waiting and new tasks take turns. */
  let isTurnOfNew = false;
  let isDue = false;

  const review = (): void => {
    isDue = false;
    while (room() > 0) {
      const [entry] = held.keys();
      const id = entry === undefined || isTurnOfNew ? queue.next() : undefined;
      if (id === undefined && entry === undefined) return;
      isTurnOfNew = id === undefined;
      if (id !== undefined) start(id);
      else if (entry !== undefined) goOn(entry);
    }
  };

  /** Review in the next microtask: a notified actor may be in a transition. */
  const reviewSoon = (): void => {
    if (isDue || room() <= 0 || (queue.isEmpty() && held.size === 0)) return;
    isDue = true;
    queueMicrotask(review);
  };

  const leave = (entry: Entry): void => {
    const { id, owner, above } = entry;
    entries.delete(id);
    change(entry, { isRunning: false });
    change(above, { below: (above?.below ?? 0) - 1 });
    queue.delete(id, owner);
  };

  return {
    enter(id, above) {
      let owner: TaskId | undefined;
      let nearest: Entry | undefined;
      for (const each of above) {
        owner ??= each;
        nearest = entries.get(each);
        if (nearest !== undefined) break;
      }
      const quiet = { below: 0, isRunning: false, isIdle: false, idle: 0 };
      entries.set(id, { id, above: nearest, owner, ...quiet });
      change(nearest, { below: (nearest?.below ?? 0) + 1 });
      queue.add(id, owner);
      reviewSoon();
    },
    observe(id, status, isIdle) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      if (isTerminalTaskStatus(status)) leave(entry);
      else change(entry, { isRunning: status === 'running', isIdle });
      reviewSoon();
    },
    idle(id) {
      const entry = entries.get(id);
      const count = (by: 1 | -1): void => {
        change(entry, { idle: (entry?.idle ?? 0) + by });
        reviewSoon();
      };
      count(1);
      return () => count(-1);
    },
    pass(id) {
      const entry = entries.get(id);
      if (entry === undefined || takesPlace(entry) === 0 || room() >= 0) return undefined;
      return hold(entry);
    },
    giveUp(id) {
      const entry = entries.get(id);
      if (entry !== undefined) goOn(entry);
    },
    places: () =>
      new Map(
        [...held.keys()]
          .map(({ id }) => id)
          .concat(queue.order())
          .map((id, index) => [id, index + 1]),
      ),
  };
}

/** The places, the tasks that have taken one, and those among them that are held until there is room. */
function createPlaces(limit: number) {
  const held = new Map<Entry, () => void>();
  let taken = 0;

  const goOn = (entry: Entry): void => {
    held.get(entry)?.();
    held.delete(entry);
  };
  return {
    held: held as ReadonlyMap<Entry, unknown>,
    goOn,
    /** Free places; negative if more tasks continue than there is room for. */
    room: (): number => limit - (taken - held.size),
    hold: (entry: Entry): Promise<void> => new Promise((resolve) => held.set(entry, resolve)),
    change(entry: Entry | undefined, changes: Partial<Entry>): void {
      if (entry === undefined) return;
      const before = takesPlace(entry);
      Object.assign(entry, changes);
      const after = takesPlace(entry);
      taken += after - before;
      if (after === 0) goOn(entry);
    },
  };
}

/** The tasks that wait to start, by parent: parents take turns. */
function createOwnerQueue() {
  /** The next parent comes first. */
  const queue = new Map<TaskId | undefined, Set<TaskId>>();
  return {
    isEmpty: (): boolean => queue.size === 0,
    add(id: TaskId, owner: TaskId | undefined): void {
      const waiting = queue.get(owner) ?? new Set();
      queue.set(owner, waiting.add(id));
    },
    delete(id: TaskId, owner: TaskId | undefined): void {
      const waiting = queue.get(owner);
      waiting?.delete(id);
      if (waiting?.size === 0) queue.delete(owner);
    },
    /** Take out the next task to start. */
    next(): TaskId | undefined {
      const [turn] = queue;
      if (turn === undefined) return undefined;
      const [owner, waiting] = turn;
      const [id] = waiting;
      queue.delete(owner);
      if (id !== undefined) waiting.delete(id);
      if (waiting.size > 0) queue.set(owner, waiting);
      return id;
    },
    /** All tasks in the order in which they start. */
    order(): readonly TaskId[] {
      const order: TaskId[] = [];
      let owners = [...queue.values()].map((waiting) => waiting.values());
      while (owners.length > 0)
        owners = owners.filter((waiting) => {
          const { value, done } = waiting.next();
          if (done !== true) order.push(value);
          return done !== true;
        });
      return order;
    },
  };
}

function takesPlace({ below, isRunning, isIdle, idle }: Entry): number {
  return isRunning && !isIdle && idle === 0 && below === 0 ? 1 : 0;
}
