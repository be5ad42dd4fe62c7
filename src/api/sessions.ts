/** Finding sessions and who holds them, for front ends. */
export { findSession, newestSession, modelOf, allSessions } from '../journal/find-session.js';
export { isAlive } from '../journal/process-owner.js';
export { readLock } from '../journal/session-lock.js';
export { folderToWorkIn } from '../journal/work-folder.js';
