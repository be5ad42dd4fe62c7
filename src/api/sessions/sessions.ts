/** Finding sessions and the processes that hold them, for front ends. */
export {
  findSession,
  newestSession,
  modelOf,
  scriptOf,
  allSessions,
  workFolder,
  type FoundSession,
} from '../../journal/sessions/find-session.js';
export { isAlive } from '../../journal/storage/process-owner.js';
export { readLock } from '../../journal/sessions/session-lock.js';
export { folderToWorkIn } from '../../journal/sessions/work-folder.js';
