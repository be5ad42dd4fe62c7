/** A summary of every session, for front ends. */
export { listSessions } from '../journal/sessions/list-sessions.js';
