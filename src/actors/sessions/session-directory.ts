import type { TaskId } from '../../core/ids.js';
import type { SessionRuntime } from './session-runtime.js';

/** The sessions of an orchestrator, by each of their tasks that is in memory. */
export interface SessionDirectory {
  live(): ReadonlySet<SessionRuntime>;
  get(id: TaskId): SessionRuntime | undefined;
  /** Return the session of a task. @throws Error if no session has the task */
  of(id: TaskId): SessionRuntime;
  /** Return the session of a task, even if the task has left memory. */
  find(id: TaskId): SessionRuntime | undefined;
  add(id: TaskId, session: SessionRuntime): void;
  forget(id: TaskId): void;
}

export function createSessionDirectory(): SessionDirectory {
  const sessions = new Map<TaskId, SessionRuntime>();
  const live = (): ReadonlySet<SessionRuntime> => new Set(sessions.values());
  return {
    live,
    get: (id) => sessions.get(id),
    of(id) {
      const session = sessions.get(id);
      if (session === undefined) throw new Error(`No session has the task ${id}.`);
      return session;
    },
    find: (id) => sessions.get(id) ?? [...live()].find(({ tasks }) => tasks.find(id) !== undefined),
    add: (id, session) => void sessions.set(id, session),
    forget: (id) => void sessions.delete(id),
  };
}
