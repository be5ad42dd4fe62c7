import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { followJournal, type JournalPositions } from '../../api/sessions/follow-journal.js';
import { findSession } from '../../api/sessions/sessions.js';
import type { ViewEvent } from '../../api/types.js';
import type { createLiveLook, LiveNews } from './live-troupes.js';
import { merge } from './merge.js';
import type { SessionList } from './session-list.js';
import type { StreamPart } from './web-server.js';

const LINES_EVERY_MS = 200;
/** After so many lines more are read at once: they are an old part of a journal. */
const MANY_LINES = 1_000;
const LIVE_EVERY_MS = 500;
/** Most bytes of one file of a journal in one event. */
const MOST_BYTES = 256 * 1024;

const count = z.int().nonnegative();
/** The session that a page shows, and the ID of the last event that it has of each of its files. */
export const Watched = z.lazy(() =>
  z.object({
    session: z.string().optional(),
    from: z.record(z.string(), z.tuple([count, count])).default({}),
  }),
);
export type Watched = z.infer<typeof Watched>;

/** Lines of a session's journal. */
export type LinesOfSession = { readonly session: string; readonly events: readonly ViewEvent[] };

/**
 * The events of one page: the running troupes, the list of sessions, and the lines of the session that it shows. The ID of
 * an event with lines has the new positions in the files that they come from: a page that has lost its connection, or its
 * server, continues there.
 */
export function roomEvents(
  { session, from }: Watched,
  {
    home,
    list,
    look,
    signal,
  }: {
    readonly home: string;
    readonly list: SessionList;
    readonly look: ReturnType<typeof createLiveLook>;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<StreamPart> {
  return merge([
    named('live', liveParts(look, signal)),
    named('sessions', list.news(signal)),
    ...(session === undefined ? [] : [linesOf(findSession(home, session), from, signal)]),
  ]);
}

/** All lines that the journal of a session has now, for a look at an earlier time. */
export async function* pastEvents(
  { session = '' }: Watched,
  { home, signal }: { readonly home: string; readonly signal: AbortSignal },
): AsyncGenerator<StreamPart> {
  const { id, directory } = findSession(home, session);
  const follower = followJournal(directory, { mostBytes: MOST_BYTES });
  while (!signal.aborted) {
    const events = await follower.next();
    if (events.length === 0) return;
    yield { event: 'lines', data: { session: id, events } satisfies LinesOfSession };
  }
}

async function* named(event: string, values: AsyncGenerator<unknown>): AsyncGenerator<StreamPart> {
  for await (const data of values) yield { event, data };
}

/** The running troupes, again whenever they have changed; each request once. */
async function* liveParts(
  look: ReturnType<typeof createLiveLook>,
  signal: AbortSignal,
): AsyncGenerator<LiveNews> {
  let sent = new Set<string>();
  for (let last = ''; !signal.aborted;) {
    const news = await look(sent);
    const { ids } = news.requests;
    const text = JSON.stringify({ ...news, requests: ids });
    if (text !== last) yield news;
    last = text;
    sent = new Set(ids);
    await wait(LIVE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

async function* linesOf(
  { id, directory }: ReturnType<typeof findSession>,
  from: JournalPositions,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  const follower = followJournal(directory, { from, mostBytes: MOST_BYTES });
  for (let known = from; !signal.aborted;) {
    const events = await follower.next();
    if (events.length > 0) {
      const positions = follower.positions();
      const moved = Object.entries(positions).filter(
        ([file, [bytes]]) => known[file]?.[0] !== bytes,
      );
      known = positions;
      yield {
        event: 'lines',
        id: JSON.stringify(Object.fromEntries(moved)),
        data: { session: id, events } satisfies LinesOfSession,
      };
    }
    if (events.length < MANY_LINES)
      await wait(LINES_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
