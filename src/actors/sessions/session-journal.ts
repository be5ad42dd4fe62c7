import type { SessionId } from '../../core/ids.js';
import { homeOf } from '../../journal/sessions/find-session.js';
import { createJournal, type Journal } from '../../journal/journal.js';
import { reportFailures } from '../../journal/reporting-journal.js';
import type { FileHistory } from '../../tools/capabilities/file-history.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import type { Settings } from '../options/settings.js';
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

/** The versions of files that a session keeps beside its journal; undefined if it keeps none. */
export function fileHistoryOf(
  { choices }: Pick<SessionOptions, 'choices'>,
  { env }: Pick<Settings, 'env'>,
  journal: Journal,
): FileHistory | undefined {
  const byClient = env['CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING'] === 'true';
  if (!(choices.enableFileCheckpointing ?? byClient)) return undefined;
  return {
    async keep(changes) {
      const { keepVersions } = await import('../../tools/files/write/keep-versions.js');
      keepVersions(journal, changes);
    },
  };
}
