/** The line that a command of the user prints about a session, for front ends. */
export { runStatusLine } from '../../settings/programs/run-status-line.js';
