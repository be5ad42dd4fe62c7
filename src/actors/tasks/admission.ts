import { UsageError } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import { isTerminalTaskStatus, type TaskStatus } from '../../core/task-types.js';

/**
 * Lets only so many agents work at once; the others stay pending. What counts are running agents that have no live agent
 * below them, are not at rest and do not just wait, so that who waits for others never keeps them from starting: it gives
 * its place to them. When mail has woken it, or others have taken its place, it waits for room before its next request.
 *
 * Who goes on takes turns with who is new, and so do the owners of those: one that asks for a thousand agents does not hold
 * back another that asks for one.
 */
export interface Admission {
  /**
   * The task of an agent is pending: it is started when there is room.
   * @param above tasks from its owner up
   */
  enter(id: TaskId, above: Iterable<TaskId>): void;
  /** Takes note of a snapshot of a task. */
  observe(id: TaskId, status: TaskStatus, isResting: boolean): void;
  /**
   * A tool of it does nothing but wait: for mail, a time, another task.
   * @returns ends the wait
   */
  idle(id: TaskId): () => void;
  /** A running agent is about to make its next request: resolves when there is room; nothing where there is. */
  pass(id: TaskId): Promise<void> | undefined;
  /** It waits no longer, for it is to stop. */
  giveUp(id: TaskId): void;
  /** Who waits, in the order in which they start or go on; places count from 1. */
  places(): ReadonlyMap<TaskId, number>;
}

type Entry = {
  readonly id: TaskId;
  /** The nearest above it that stands here too. */
  readonly above: Entry | undefined;
  readonly owner: TaskId | undefined;
  /** Live ones right below it. */
  below: number;
  isRunning: boolean;
  isResting: boolean;
  /** Tools of it that only wait. */
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
  /** Who goes on and who is new take turns. */
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

  /** In a step of its own: an actor that is told of now may be in the middle of one. */
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
      const quiet = { below: 0, isRunning: false, isResting: false, idle: 0 };
      entries.set(id, { id, above: nearest, owner, ...quiet });
      change(nearest, { below: (nearest?.below ?? 0) + 1 });
      queue.add(id, owner);
      reviewSoon();
    },
    observe(id, status, isResting) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      if (isTerminalTaskStatus(status)) leave(entry);
      else change(entry, { isRunning: status === 'running', isResting });
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

/** The places that there are, who has taken one, and who among those is held until there is room. */
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
    /** Places that nobody uses; below 0 when more go on than there is room for. */
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

/** Who waits to start, by owner: owners take turns. */
function createOwnerQueue() {
  /** The owner whose turn is next stands first. */
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
    /** Take out the next one to start. */
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
    /** All, in the order in which they start. */
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

function takesPlace({ below, isRunning, isResting, idle }: Entry): number {
  return isRunning && !isResting && idle === 0 && below === 0 ? 1 : 0;
}
