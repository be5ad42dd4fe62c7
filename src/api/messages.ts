/** Identifiers, messages and usage, for front ends. */
export { Hop } from '../core/events.js';
export { TASK_ID_PREFIX, toSessionId, toTaskId } from '../core/ids.js';
export { resultText, textOf } from '../core/messages.js';
export { TASK_TYPES, isTerminalTaskStatus } from '../core/task-types.js';
export { NO_USAGE, totalTokens } from '../core/tasks/usage.js';
