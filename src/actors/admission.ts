import { UsageError } from '../core/errors.js';
import type { TaskId } from '../core/ids.js';
import { isTerminalTaskStatus, type TaskStatus } from '../core/task-types.js';

/**
 * Lets only so many agents work at once; the others stay pending. What counts are running agents that have no live agent
 * below them and are not at rest, so that who waits for others never keeps them from starting: it gives its place to them.
 * It works on when they have ended, whether there is room or not; nothing new starts until there is.
 *
 * Owners take turns: one that asks for a thousand agents does not hold back another that asks for one.
 */
export interface Admission {
  /**
   * The task of an agent is pending: it is started when there is room.
   * @param above tasks from its owner up
   */
  enter(id: TaskId, above: Iterable<TaskId>): void;
  /** Takes note of a snapshot of a task. */
  observe(id: TaskId, status: TaskStatus, isResting: boolean): void;
  /** Who waits, in the order in which they start; places count from 1. */
  places(): ReadonlyMap<TaskId, number>;
}

type Entry = {
  /** The nearest above it that stands here too. */
  readonly above: Entry | undefined;
  readonly owner: TaskId | undefined;
  /** Live ones right below it. */
  below: number;
  isRunning: boolean;
  isResting: boolean;
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
  /** Who waits, by owner. The owner whose turn is next stands first. */
  const queue = new Map<TaskId | undefined, Set<TaskId>>();
  let taken = 0;
  let isDue = false;

  const change = (entry: Entry | undefined, changes: Partial<Entry>): void => {
    if (entry === undefined) return;
    const before = takesPlace(entry);
    Object.assign(entry, changes);
    taken += takesPlace(entry) - before;
  };

  /** Whose turn it is, where there is room. */
  const next = (): TaskId | undefined => {
    const [turn] = queue;
    if (turn === undefined || taken >= limit) return undefined;
    const [owner, waiting] = turn;
    const [id] = waiting;
    queue.delete(owner);
    if (id !== undefined) waiting.delete(id);
    if (waiting.size > 0) queue.set(owner, waiting);
    return id;
  };

  const review = (): void => {
    isDue = false;
    for (let id = next(); id !== undefined; id = next()) start(id);
  };

  /** In a step of its own: an actor that is told of now may be in the middle of one. */
  const reviewSoon = (): void => {
    if (isDue || queue.size === 0 || taken >= limit) return;
    isDue = true;
    queueMicrotask(review);
  };

  const leave = (id: TaskId, entry: Entry): void => {
    const { owner, above } = entry;
    entries.delete(id);
    change(entry, { isRunning: false });
    change(above, { below: (above?.below ?? 0) - 1 });
    const waiting = queue.get(owner);
    waiting?.delete(id);
    if (waiting?.size === 0) queue.delete(owner);
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
      entries.set(id, { above: nearest, owner, below: 0, isRunning: false, isResting: false });
      change(nearest, { below: (nearest?.below ?? 0) + 1 });
      const waiting = queue.get(owner) ?? new Set();
      queue.set(owner, waiting.add(id));
      reviewSoon();
    },
    observe(id, status, isResting) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      if (isTerminalTaskStatus(status)) leave(id, entry);
      else change(entry, { isRunning: status === 'running', isResting });
      reviewSoon();
    },
    places() {
      const places = new Map<TaskId, number>();
      let owners = [...queue.values()].map((waiting) => waiting.values());
      while (owners.length > 0)
        owners = owners.filter((waiting) => {
          const { value, done } = waiting.next();
          if (done !== true) places.set(value, places.size + 1);
          return done !== true;
        });
      return places;
    },
  };
}

function takesPlace({ below, isRunning, isResting }: Entry): number {
  return isRunning && !isResting && below === 0 ? 1 : 0;
}
