import type { TaskId } from '../../core/ids.js';
import type { SessionRuntime } from './session-runtime.js';

/** Ended sessions that stay in memory: a program may still ask for their tasks. */
const MOST_ENDED = 100;

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
  /** Note that a session has ended and its journal is closed: it leaves memory once 100 others have ended. */
  end(session: SessionRuntime): void;
}

export function createSessionDirectory(): SessionDirectory {
  const sessions = new Map<TaskId, SessionRuntime>();
  const live = new Set<SessionRuntime>();
  const ended = new Set<SessionRuntime>();

  const forgetSession = (session: SessionRuntime): void => {
    ended.delete(session);
    for (const { id } of session.tasks.list())
      if (sessions.get(id) === session) sessions.delete(id); // a resumed session has the same tasks
  };
  return {
    live: () => live,
    get: (id) => sessions.get(id),
    of(id) {
      const session = sessions.get(id);
      if (session === undefined) throw new Error(`No session has the task ${id}.`);
      return session;
    },
    find: (id) =>
      sessions.get(id) ?? [...live, ...ended].find(({ tasks }) => tasks.find(id) !== undefined),
    add(id, session) {
      sessions.set(id, session);
      if (!ended.has(session)) live.add(session);
    },
    forget: (id) => void sessions.delete(id),
    end(session) {
      live.delete(session);
      ended.add(session);
      const [oldest] = ended;
      if (ended.size > MOST_ENDED && oldest !== undefined) forgetSession(oldest);
    },
  };
}
