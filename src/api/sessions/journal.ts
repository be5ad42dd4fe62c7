/** The journals of sessions, for front ends. */
import { join } from 'node:path';
import { findSession } from '../../journal/sessions/find-session.js';
import { readIfThere } from '../../processes/output/tail-file.js';

export { copySession } from '../../journal/sessions/copy-session.js';
export { readAudit } from '../../journal/readers/read-audit.js';
export { readJournal, JournalDamagedError } from '../../journal/read-journal.js';
export { readMessages, type RecordedMessage } from '../../journal/readers/read-messages.js';
export { listSubAgents, readSubAgent } from '../../journal/readers/sub-agents.js';
export { readLog } from '../../journal/readers/read-log.js';

/** Read the output of a task of an ended session from a byte on. @param home the folder of all sessions */
export function readOutput(
  home: string,
  {
    sessionId,
    task,
    from,
  }: { readonly sessionId: string; readonly task: string; readonly from: number },
): ReturnType<typeof readIfThere> {
  const { directory } = findSession(home, sessionId);
  return readIfThere(join(directory, 'output', task), from);
}
