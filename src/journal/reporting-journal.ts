import { join } from 'node:path';
import type { Journal } from './journal.js';

/**
 * The same journal for writers that stand inside a transition and can do nothing about a failure: it never throws, and
 * tells `onFailure` of the first error. What is lost is lost for a session that ends because of it.
 */
export function reportFailures(
  journal: Journal,
  { now, onFailure }: { now: () => number; onFailure: (error: unknown) => void },
): Journal {
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(error);
  };
  return {
    ...journal,
    append(file, fields) {
      try {
        return journal.append(file, fields);
      } catch (error) {
        fail(error);
        return now();
      }
    },
    pathOf(file) {
      try {
        return journal.pathOf(file);
      } catch (error) {
        fail(error);
        return join(journal.directory, file);
      }
    },
    sync: (file) => journal.sync(file).catch(fail),
    close: () => journal.close().catch(fail),
  };
}
