import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { summarise } from '../../api/sessions/list-sessions.js';
import { allSessions, type FoundSession } from '../../api/sessions/sessions.js';

const SHOWN = 300;
const AT_ONCE = 10;
const LOOK_EVERY_MS = 1_000;
const MOST_CHARACTERS = 200;

/** A session in the list of the page. */
export type ListedSession = Pick<
  ReturnType<typeof summarise>,
  'id' | 'status' | 'startedAt' | 'title' | 'prompt'
>;

/** The IDs of the listed sessions, the one that was opened last first, and the sessions that have changed. */
export type SessionNews = {
  readonly ids: readonly string[];
  readonly changed: readonly ListedSession[];
};

export interface SessionList {
  /** All sessions, a few at a time, and each change. */
  news(signal: AbortSignal): AsyncGenerator<SessionNews>;
}

/** The sessions of a home, for all pages. Their files are read in steps: other work continues between them. */
export function createSessionList(home: string): SessionList {
  const known = new Map<string, ListedSession>();
  let head: string | undefined;
  /** The sessions that are new, run, or were opened again. */
  const changedOf = (found: readonly FoundSession[]): readonly FoundSession[] => {
    const opened = found.findIndex(({ id }) => id === head);
    head = found[0]?.id;
    return found.filter(({ id }, index) => {
      const status = known.get(id)?.status;
      return status === undefined || index < opened || ['live', 'elsewhere'].includes(status);
    });
  };
  return {
    async *news(signal) {
      const sent = new Map<string, string>();
      while (!signal.aborted) {
        const found = allSessions(home).slice(0, SHOWN);
        const changed = changedOf(found);
        for (let from = 0; from === 0 || from < changed.length; from += AT_ONCE) {
          for (const one of changed.slice(from, from + AT_ONCE))
            known.set(one.id, toListed(summarise(one)));
          const fresh = found
            .flatMap(({ id }) => known.get(id) ?? [])
            .filter((one) => sent.get(one.id) !== JSON.stringify(one));
          for (const one of fresh) sent.set(one.id, JSON.stringify(one));
          if (fresh.length > 0) yield { ids: found.map(({ id }) => id), changed: fresh };
          await nextTurn();
          if (signal.aborted) return;
        }
        await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}

function toListed({
  id,
  status,
  startedAt,
  title,
  prompt,
}: ReturnType<typeof summarise>): ListedSession {
  return {
    id,
    status,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(title === undefined ? {} : { title: title.slice(0, MOST_CHARACTERS) }),
    ...(prompt === undefined ? {} : { prompt: prompt.slice(0, MOST_CHARACTERS) }),
  };
}
