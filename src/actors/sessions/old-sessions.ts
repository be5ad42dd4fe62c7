import { removeOldSessions } from '../../journal/sessions/remove-old-sessions.js';

const DAY_MS = 86_400_000;

/**
 * @param days undefined: sessions stay
 * @returns a function that removes the old sessions of a home, the first time
 */
export function createOldSessionSweep(
  days: number | undefined,
  now: () => number,
): (home: string) => void {
  let isDone = days === undefined;
  return (home) => {
    if (isDone || days === undefined) return;
    isDone = true;
    void removeAndTell(home, now() - days * DAY_MS);
  };
}

async function removeAndTell(home: string, before: number): Promise<void> {
  for (const problem of await removeOldSessions(home, before))
    process.emitWarning(problem, { type: 'TroupeWarning' });
}
