import { join } from 'node:path';
import { JournalWriteError } from './journal-write-error.js';
import type { Journal } from './journal.js';

/**
 * Wrap a journal for writers inside a transition, which cannot handle a failure: the wrapper never throws. The journal
 * has called its `onFailure`, and the session ends because of it.
 *
 * @param onError called for an error that is not from the file system
 */
export function reportFailures(
  journal: Journal,
  { now, onError }: { now: () => number; onError: (error: unknown) => void },
): Journal {
  const orElse = <T>(run: () => T, otherwise: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof JournalWriteError)) onError(error);
      return otherwise();
    }
  };
  const nothing = (): void => {};
  return {
    directory: journal.directory,
    agentFile: journal.agentFile,
    failure: () => journal.failure(),
    append: (file, fields) => orElse(() => journal.append(file, fields), now),
    appendSoon: (file, fields) => orElse(() => journal.appendSoon(file, fields), now),
    appendText: (file, text) => orElse(() => journal.appendText(file, text), nothing),
    keepShared: (file, text) => orElse(() => journal.keepShared(file, text), nothing),
    pathOf: (file) =>
      orElse(
        () => journal.pathOf(file),
        () => join(journal.directory, file),
      ),
    sync: (file) => journal.sync(file).catch(nothing),
    flushSoon: journal.flushSoon,
    release: journal.release,
    checkFiles: journal.checkFiles,
    close: journal.close,
  };
}
