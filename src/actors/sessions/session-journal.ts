import type { SessionId } from '../../core/ids.js';
import { homeOf } from '../../journal/sessions/find-session.js';
import { createJournal, type Journal } from '../../journal/journal.js';
import { reportFailures } from '../../journal/reporting-journal.js';
import type { SharedServices } from '../agents/session/shared-services.js';

/** The journal of one session, in the two forms in which it is written. */
export type SessionJournal = {
  /** The session ends if a line cannot be written; the writer gets no error. */
  readonly journal: Journal;
  /**
   * An append that fails throws: for lines that an agent needs. An appended line counts as accepted even if it cannot
   * be synced: then the session ends, and its resume starts from that line.
   */
  readonly strict: Journal;
};

export function openSessionJournal(
  { id, directory }: { readonly id: SessionId; readonly directory: string },
  {
    timers: { now },
    files,
    folders,
    keepWhole,
  }: Pick<SharedServices, 'timers' | 'files' | 'folders' | 'keepWhole'>,
  onFailure: (error: unknown) => void,
): SessionJournal {
  const written = createJournal({
    directory,
    isMade: true, // with its lock
    sharedFolder: homeOf(directory),
    sessionId: id,
    now,
    files,
    folders,
    keepWhole,
    onFailure,
  });
  const journal = reportFailures(written, { now, onError: onFailure });
  const strict: Journal = {
    ...journal,
    failure: () => written.failure(),
    append: written.append,
    appendText: written.appendText,
    keepShared: written.keepShared,
  };
  return { journal, strict };
}
