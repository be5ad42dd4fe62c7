/** What sessions have written down, for front ends. */
export { readAudit } from '../journal/read-audit.js';
export { readJournal, JournalDamagedError } from '../journal/read-journal.js';
export { readLog } from '../journal/read-log.js';
