/** Summaries of sessions, for front ends. */
export { listSessions, summarise } from '../../journal/sessions/list-sessions.js';
